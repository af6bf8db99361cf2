// clone: no seam by a stated measure, and the equations of the paper solved by other means.
#include <stb/stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "demos/demo_picture.hpp"

namespace tests_of_clone {

using demo_tests::last_frame;
using demo_tests::read_picture;
using demo_tests::run_demo;
using demo_tests::TemporaryFile;

namespace {

constexpr std::array<std::pair<int, int>, 4> neighbours{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

/// A picture that a test makes, from the lower left as OpenGL counts; 3 or 4 bytes a pixel.
struct Made {
    int width = 0, height = 0, channels = 3;
    std::vector<unsigned char> bytes;

    template <typename Value>  // Value(x, y, channel): 0 to 255
    Made(int wide, int high, const Value& value, int bytes_a_pixel = 3)
        : width(wide), height(high), channels(bytes_a_pixel) {
        for (int y = high - 1; y >= 0; --y) {
            for (int x = 0; x < wide; ++x) {
                for (int c = 0; c < channels; ++c) bytes.push_back(static_cast<unsigned char>(value(x, y, c)));
            }
        }
    }
    int at(int x, int y, int c) const {
        return bytes[static_cast<std::size_t>(channels * ((height - 1 - y) * width + x) + c)];
    }
    bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
    void save(const std::string& file) const {
        REQUIRE(stbi_write_png(file.c_str(), width, height, channels, bytes.data(), channels * width) != 0);
    }
};

/// From 0 to 1, the same everywhere.
double noise(int x, int y, int c) {
    auto h = static_cast<std::uint32_t>(x) * 73856093u ^ static_cast<std::uint32_t>(3 * y + c) * 19349663u;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    return static_cast<double>((h ^ (h >> 16)) & 0xffffu) / 65535;
}

/// Two pieces, one of them with a hole, and one that reaches the picture's border: is (x, y) in them?
bool odd_shape(int x, int y, int width, int height) {
    const double u = (x + 0.5) / width, v = (y + 0.5) / height;
    const bool ring = std::hypot(u - 0.35, v - 0.55) < 0.3 && std::hypot(u - 0.3, v - 0.55) > 0.08;
    return ring || (u > 0.74 && v < 0.6) || (v > 0.9 && u > 0.2);
}

struct Case {
    Made source, mask, target;
    int x = 0, y = 0;  // where the source lies

    /// The outermost pixels of a source are not cloned.
    bool cloned(int in_target_x, int in_target_y) const {
        const int i = in_target_x - x, j = in_target_y - y;
        return i > 0 && j > 0 && i < source.width - 1 && j < source.height - 1 && mask.at(i, j, 0) > 127;
    }
    int source_at(int in_target_x, int in_target_y, int c) const {
        return source.at(in_target_x - x, in_target_y - y, c);
    }
    demo_tests::Picture run(const std::string& more = "") const {
        const TemporaryFile s(".png"), m(".png"), t(".png"), result(".png");
        source.save(s.name());
        mask.save(m.name());
        target.save(t.name());
        REQUIRE(
            run_demo(GLSOLVE_DEMO_CLONE,
                     fmt::format("--frames 2 --no-panel --source '{}' --mask '{}' --target '{}' --at {},{} --output "
                                 "'{}' {}",
                                 s.name(), m.name(), t.name(), x, y, result.name(), more))
            == 0);
        demo_tests::Picture picture = read_picture(result.name());
        REQUIRE(picture.width == target.width);
        REQUIRE(picture.height == target.height);
        return picture;
    }
};

/// Smooth pictures of very different colours with a pattern each, and an odd shape.
Case usual_case(int x, int y) {
    const auto wave = [](double a, double b) { return std::sin(a) * std::cos(b); };
    return {.source = Made(
                70, 60, [&](int i, int j, int c) { return 190 - 30 * c + 0.3 * j + 14 * wave(i / 3.0, j / 4.0 + c); }),
            .mask = Made(70, 60, [](int i, int j, int) { return odd_shape(i, j, 70, 60) ? 255 : 0; }),
            .target = Made(120, 90,
                           [&](int i, int j, int c) { return 70 + 25 * c + 0.4 * i + 8 * wave(i / 21.0, j / 14.0); }),
            .x = x,
            .y = y};
}

/// Means over pairs of neighbours and over colours of |(r_p - r_q) - (s_p - s_q)|: what the result jumps beyond what
/// the source explains, in steps of 1/255. `along`: one pixel in the mask and one beside it; `inside`: both in it.
struct Seam {
    double along = 0, inside = 0;
};

Seam seam_of(const Case& pictures, const demo_tests::Picture& result) {
    Seam seam;
    double along = 0, inside = 0;
    for (int y = 0; y < result.height; ++y) {
        for (int x = 0; x < result.width; ++x) {
            if (!pictures.cloned(x, y)) continue;
            for (const auto& [dx, dy] : neighbours) {
                if (!pictures.target.holds(x + dx, y + dy)) continue;
                const bool both = pictures.cloned(x + dx, y + dy);
                for (int c = 0; c < 3; ++c) {
                    const int jump = result.at(x, y, c) - result.at(x + dx, y + dy, c);
                    const int explained = pictures.source_at(x, y, c) - pictures.source_at(x + dx, y + dy, c);
                    (both ? seam.inside : seam.along) += std::abs(jump - explained);
                    (both ? inside : along) += 1;
                }
            }
        }
    }
    REQUIRE(along > 300);
    REQUIRE(inside > 3000);
    return {seam.along / along, seam.inside / inside};
}

/// Outside of the mask the result must be the target, byte for byte.
int bytes_changed_outside(const Case& pictures, const demo_tests::Picture& result) {
    int changed = 0;
    for (int y = 0; y < result.height; ++y) {
        for (int x = 0; x < result.width; ++x) {
            for (int c = 0; c < 3; ++c) {
                changed += !pictures.cloned(x, y) && result.at(x, y, c) != pictures.target.at(x, y, c) ? 1 : 0;
            }
        }
    }
    return changed;
}

/// Equation 7 of the paper for one colour, in double precision, by Gauss and Seidel:
///     |N_p| f_p = sum_(q in N_p and mask) f_q + sum_(q in N_p beside it) t_q + sum_(q in N_p) g_pq
std::vector<double> reference(const Case& pictures, int c, bool mixed) {
    const Made& t = pictures.target;
    const auto index = [&](int x, int y) { return static_cast<std::size_t>(y * t.width + x); };
    std::vector<double> f;
    for (int y = 0; y < t.height; ++y) {
        for (int x = 0; x < t.width; ++x) f.push_back(t.at(x, y, c));
    }
    double change = 1;
    for (int sweep = 0; sweep < 100000 && change > 1e-9; ++sweep) {
        change = 0;
        for (int y = 0; y < t.height; ++y) {
            for (int x = 0; x < t.width; ++x) {
                if (!pictures.cloned(x, y)) continue;
                double sum = 0, count = 0;
                for (const auto& [dx, dy] : neighbours) {
                    if (!t.holds(x + dx, y + dy)) continue;
                    const int of_source = pictures.source_at(x, y, c) - pictures.source_at(x + dx, y + dy, c);
                    const int of_target = t.at(x, y, c) - t.at(x + dx, y + dy, c);
                    sum += f[index(x + dx, y + dy)]
                           + (mixed && std::abs(of_target) > std::abs(of_source) ? of_target : of_source);
                    ++count;
                }
                change = std::max(change, std::abs(sum / count - f[index(x, y)]));
                f[index(x, y)] = sum / count;
            }
        }
    }
    REQUIRE(change <= 1e-9);
    return f;
}

double farthest_from_reference(const Case& pictures, const demo_tests::Picture& result, bool mixed) {
    double farthest = 0;
    for (int c = 0; c < 3; ++c) {
        const std::vector<double> f = reference(pictures, c, mixed);
        for (int y = 0; y < result.height; ++y) {
            for (int x = 0; x < result.width; ++x) {
                const double expected = std::clamp(f[std::size_t(y * result.width + x)], 0.0, 255.0);
                farthest = std::max(farthest, std::abs(result.at(x, y, c) - expected));
            }
        }
    }
    return farthest;
}

}  // namespace

TEST_CASE("clone: no seam is left, and the source keeps its look", "[clone]") {
    const Case pictures = usual_case(24, 15);
    const Seam pasted = seam_of(pictures, pictures.run("--show pasted")), cloned = seam_of(pictures, pictures.run());
    CHECK(pasted.along > 50);
    CHECK(pasted.inside == 0);
    CHECK(cloned.along < 2.5);   // rounding to bytes is half a step of it
    CHECK(cloned.inside < 1.5);  // what makes up for the colours' difference, spread over all of the mask
}

TEST_CASE("clone: a pattern on one colour becomes the pattern on the other", "[clone]") {
    // The pattern ends before the mask does.
    const auto pattern = [](int x, int y, int c) {
        const double r = std::hypot(x - 30.0, y - 25.0) / 18;
        return r < 1 ? static_cast<int>(std::lround(60 * (1 - r * r) * std::sin(x * 0.7 + c) * std::cos(y * 0.5))) : 0;
    };
    const std::array<int, 3> from{200, 180, 90}, to{80, 120, 150};
    const auto of_source = [&](int x, int y, int c) { return from[std::size_t(c)] + std::min(55, pattern(x, y, c)); };
    const auto of_target = [&](int, int, int c) { return to[std::size_t(c)]; };
    const auto white = [](int, int, int) { return 255; };
    const Case pictures{Made(60, 50, of_source), Made(60, 50, white), Made(90, 70, of_target), 20, 11};
    const demo_tests::Picture result = pictures.run();
    int farthest = 0;
    for (int y = 0; y < 70; ++y) {
        for (int x = 0; x < 90; ++x) {
            for (int c = 0; c < 3; ++c) {
                const int shown = pictures.cloned(x, y) ? pictures.source_at(x, y, c) - from[std::size_t(c)] : 0;
                farthest = std::max(farthest, std::abs(result.at(x, y, c) - to[std::size_t(c)] - shown));
            }
        }
    }
    CHECK(farthest <= 1);
    CHECK(std::abs(result.at(50, 36, 0) - to[0]) > 10);  // there is a pattern
}

TEST_CASE("clone: what a reference in double precision finds", "[clone]") {
    Case pictures = usual_case(24, 15);
    bool mixed = false;
    SECTION("in the middle") {}
    SECTION("mixed gradients") { mixed = true; }
    SECTION("over the left and the upper edge") { pictures = usual_case(-30, 45); }
    SECTION("over the right and the lower edge, noise, mixed gradients") {
        pictures = usual_case(80, -20);
        pictures.source = Made(70, 60, [](int x, int y, int c) { return 110 + 60 * noise(x, y, c); });
        pictures.target = Made(120, 90, [](int x, int y, int c) { return 90 + 60 * noise(x + 500, y, c); });
        mixed = true;
    }
    const demo_tests::Picture result = pictures.run(mixed ? "--mixed" : "");
    CHECK(farthest_from_reference(pictures, result, mixed) < 0.6);  // half a step is rounding
    CHECK(bytes_changed_outside(pictures, result) == 0);
}

TEST_CASE("clone: a target that the mask covers altogether keeps its mean", "[clone]") {
    Case pictures = usual_case(-15, -10);
    pictures.mask = Made(70, 60, [](int, int, int) { return 255; });
    pictures.target = Made(40, 30, [](int x, int y, int c) { return 90 + 20 * c + 30 * noise(x, y, c); });
    const auto result = pictures.run();
    for (int c = 0; c < 3; ++c) {
        double difference = 0, farthest = 0;
        for (int y = 0; y < 30; ++y) {
            for (int x = 0; x < 40; ++x) {
                difference += (result.at(x, y, c) - pictures.target.at(x, y, c)) / 1200.0;
                const int jump = result.at(x, y, c) - result.at(0, 0, c);
                farthest = std::max(farthest,
                                    std::abs(double(jump - pictures.source_at(x, y, c) + pictures.source_at(0, 0, c))));
            }
        }
        CHECK(std::abs(difference) < 1);
        CHECK(farthest <= 2);
    }
}

TEST_CASE("clone: transparency is a mask, and JPEG a source", "[clone]") {
    Case pictures = usual_case(24, 15);
    const TemporaryFile png(".png"), jpeg(".jpg"), target(".png"), output(".png");
    pictures.target.save(target.name());
    const auto result = [&](const TemporaryFile& source) {
        const std::string files =
            fmt::format("--source '{}' --target '{}' --output '{}'", source.name(), target.name(), output.name());
        REQUIRE(run_demo(GLSOLVE_DEMO_CLONE, "--frames 1 --no-panel --at 24,15 " + files) == 0);
        return read_picture(output.name());
    };
    SECTION("transparent pixels are black, and that is not seen") {
        const auto opaque = [](int x, int y) { return std::hypot(x - 35, y - 30) < 25; };
        const auto colour = [&](int x, int y, int c) { return c == 3 ? 255 : pictures.source.at(x, y, c); };
        Made(
            70, 60, [&](int x, int y, int c) { return opaque(x, y) ? colour(x, y, c) : 0; }, 4)
            .save(png.name());
        // The mask is what is opaque with all its neighbours opaque.
        pictures.mask = Made(70, 60, [&](int x, int y, int) {
            return opaque(x - 1, y) && opaque(x + 1, y) && opaque(x, y - 1) && opaque(x, y + 1) ? 255 : 0;
        });
        const demo_tests::Picture picture = result(png);
        CHECK(bytes_changed_outside(pictures, picture) == 0);
        CHECK(seam_of(pictures, picture).along < 2.5);
        CHECK(farthest_from_reference(pictures, picture, false) < 0.6);
    }
    SECTION("JPEG") {
        REQUIRE(stbi_write_jpg(jpeg.name().c_str(), 70, 60, 3, pictures.source.bytes.data(), 95) != 0);
        pictures.mask = Made(70, 60, [](int x, int y, int) {  // the ellipse
            return std::hypot((x - 34.5) / 34, (y - 29.5) / 29) <= 1 ? 255 : 0;
        });
        const demo_tests::Picture picture = result(jpeg);
        CHECK(bytes_changed_outside(pictures, picture) == 0);
        CHECK(seam_of(pictures, picture).along < 8);  // JPEG changes the source by some steps
    }
}

TEST_CASE("clone: without files there is something to see, and it moves", "[clone]") {
    // Where do the two sides differ, in the mean?
    const auto middle = [](const demo_tests::Picture& both) {
        REQUIRE((both.width == 2 * 160 + 6 && both.height == 120));
        double sum = 0, count = 0;
        for (int y = 0; y < 120; ++y) {
            for (int x = 0; x < 160; ++x) {
                if (std::abs(both.at(x, y, 2) - both.at(x + 166, y, 2)) < 3) continue;
                sum += x;
                count += 1;
            }
        }
        CHECK(count > 3000);
        CHECK(count < 4200);  // the ellipse has 3850 pixels
        return sum / count;
    };
    const double first = middle(last_frame(GLSOLVE_DEMO_CLONE, 1, "--size 160"));
    const double left = middle(last_frame(GLSOLVE_DEMO_CLONE, 4, "--size 160"));
    CHECK(std::abs(first - 79.5) < 4);
    CHECK(first - left > 25);
}

TEST_CASE("clone: what cannot be is said in words", "[clone]") {
    const TemporaryFile s(".png"), m(".png"), empty(".png"), none(".jpg"), words(".txt");
    const Case usual = usual_case(0, 0);
    usual.source.save(s.name());
    Made(20, 20, [](int, int, int) { return 255; }).save(m.name());
    Made(70, 60, [](int, int, int) { return 0; }).save(empty.name());
    std::ofstream(none.name()) << "this is no picture";
    const auto said = [&](const std::string& arguments) {
        const int status = run_demo(GLSOLVE_DEMO_CLONE, fmt::format("--frames 1 {} 2> '{}'", arguments, words.name()));
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 1);
        std::stringstream text;
        text << std::ifstream(words.name()).rdbuf();
        return text.str();
    };
    const auto contains = [](const std::string& part) { return ContainsSubstring(part); };
    CHECK_THAT(said("--source /nowhere/picture.png"), contains("clone: /nowhere/picture.png: "));
    CHECK_THAT(said(fmt::format("--source '{}'", none.name())),
               contains(none.name()) && contains("PNG and JPEG can be read"));
    CHECK_THAT(said(fmt::format("--source '{}' --mask '{}'", s.name(), m.name())),
               contains("20 x 20") && contains("70 x 60") && contains("must have the source's size"));
    CHECK_THAT(said(fmt::format("--source '{}' --mask '{}'", s.name(), empty.name())),
               contains("nothing would be cloned"));
    CHECK_THAT(said("--size 160 --at 160,0"), contains("X can be from -71 to 159"));
    CHECK_THAT(said("--size 160 --output /nowhere/x.png"), contains("cannot write /nowhere/x.png"));
}

}  // namespace tests_of_clone
