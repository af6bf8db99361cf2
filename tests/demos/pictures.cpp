// What the demos' pictures must show, from the files they write: not pixel for pixel.
#include <fmt/format.h>
#include <stb/stb_image.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "support/catch.hpp"

namespace {

struct Picture {
    int width = 0, height = 0;
    std::unique_ptr<unsigned char, void (*)(void*)> pixels{nullptr, stbi_image_free};

    /// 0 to 255; from the lower left, as OpenGL counts.
    int red(int x, int y) const { return pixels.get()[3 * ((height - 1 - y) * width + x)]; }
};

/// The last of so many frames; none: this machine has no OpenGL.
Picture last_frame(const std::string& program, int frames) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("glsolve_demo_{}.png", getpid());
    const int result = std::system(
        fmt::format("'{}' --headless --frames {} --screenshot '{}'", program, frames, file.string()).c_str());
    Picture picture;
    REQUIRE(result == 0);
    int channels = 0;
    picture.pixels.reset(stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 3));
    std::filesystem::remove(file);
    REQUIRE(picture.pixels != nullptr);
    return picture;
}

/// The mean of red, which grows with the temperature, in a square.
double warmth(const Picture& picture, int x, int y) {
    double sum = 0;
    for (int j = -4; j <= 4; ++j) {
        for (int i = -4; i <= 4; ++i) sum += picture.red(x + i, y + j);
    }
    return sum / 81;
}

}  // namespace

TEST_CASE("minimal: two hot spots spread", "[demos]") {
    const Picture early = last_frame(GLSOLVE_DEMO_MINIMAL, 1), late = last_frame(GLSOLVE_DEMO_MINIMAL, 60);
    REQUIRE(early.width == 256);
    REQUIRE(early.height == 256);
    for (const Picture* picture : {&early, &late}) {  // the spots are where they were put, and the corners are cold
        CHECK(warmth(*picture, 80, 90) > 200);
        CHECK(warmth(*picture, 180, 165) > 150);
        CHECK(warmth(*picture, 12, 243) < 5);
    }
    // Beside the larger spot it becomes warm, and as warm on all sides of it: heat spreads in circles.
    CHECK(warmth(early, 80, 90 - 42) < 40);
    const double below = warmth(late, 80, 90 - 42), left = warmth(late, 80 - 42, 90), above = warmth(late, 80, 90 + 42);
    CHECK(below > 60);
    CHECK(std::abs(below - left) < 8);
    CHECK(std::abs(below - above) < 8);
    // The smaller one has cooled down more than the larger one.
    CHECK(warmth(late, 180, 165) < warmth(early, 180, 165));
}
