/// Runs demos without a window and reads the pictures they save.
#pragma once

#include <fmt/format.h>
#include <stb/stb_image.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "support/catch.hpp"

namespace demo_tests {

struct Picture {
    int width = 0, height = 0;
    std::unique_ptr<unsigned char, void (*)(void*)> pixels{nullptr, stbi_image_free};

    /// 0 to 255; from the lower left, as OpenGL counts; channel 0 red, 1 green, 2 blue.
    int at(int x, int y, int channel) const { return pixels.get()[3 * ((height - 1 - y) * width + x) + channel]; }
    int red(int x, int y) const { return at(x, y, 0); }
};

/// A file in the system's folder for such, removed in the end.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& ending)
        : path_(std::filesystem::temp_directory_path() / fmt::format("glsolve_demo_{}_{}", getpid(), count_++) +=
                ending) {}
    ~TemporaryFile() {
        std::error_code nothing;
        std::filesystem::remove(path_, nothing);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    std::string name() const { return path_.string(); }

  private:
    static inline int count_ = 0;
    std::filesystem::path path_;
};

inline Picture read_picture(const std::string& file) {
    Picture picture;
    int channels = 0;
    picture.pixels.reset(stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 3));
    INFO(file);
    REQUIRE(picture.pixels != nullptr);
    return picture;
}

/// Runs it without a window; what it says goes where the tests' output goes.
inline int run_demo(const std::string& program, const std::string& arguments) {
    return std::system(fmt::format("'{}' --headless {}", program, arguments).c_str());
}

/// The last of so many frames, without a panel.
inline Picture last_frame(const std::string& program, int frames, const std::string& arguments = "") {
    const TemporaryFile file(".png");
    REQUIRE(
        run_demo(program, fmt::format("--no-panel --frames {} --screenshot '{}' {}", frames, file.name(), arguments))
        == 0);
    return read_picture(file.name());
}

}  // namespace demo_tests
