// fluid: what its pictures and its last line must show.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>

#include "demos/demo_picture.hpp"

namespace tests_of_fluid {

using demo_tests::last_frame;
using demo_tests::Picture;
using demo_tests::run_demo;
using demo_tests::TemporaryFile;

namespace {

/// How far a pixel is from grey, 0 to 255. Smoke and divergence are coloured, solids and what is empty are not.
int colour(const Picture& picture, int x, int y) {
    const auto [least, most] = std::minmax({picture.at(x, y, 0), picture.at(x, y, 1), picture.at(x, y, 2)});
    return most - least;
}

/// The mean over a part of a square picture, in its sides.
double mean_colour(const Picture& picture, double left, double right, double low, double high) {
    const auto pixel = [&](double place) { return static_cast<int>(place * picture.width); };
    double sum = 0;
    int count = 0;
    for (int y = pixel(low); y < pixel(high); ++y) {
        for (int x = pixel(left); x < pixel(right); ++x, ++count) sum += colour(picture, x, y);
    }
    return sum / count;
}

/// Of the divergence that is left in the 30th frame: strength by its logarithm, from 1e-5 to 1e-1.
double divergence_left(const std::string& how) {
    const Picture picture = last_frame(GLSOLVE_DEMO_FLUID, 30, "--size 64 --show divergence --method " + how);
    REQUIRE(picture.width == picture.height);
    return mean_colour(picture, 0, 1, 0, 1);
}

/// The numbers of the line in which it says how it went.
struct Line {
    double iterations = 0, before = 0, after = 0;
};

Line last_line(const std::string& arguments) {
    const TemporaryFile file(".txt");
    REQUIRE(run_demo(GLSOLVE_DEMO_FLUID, fmt::format("--no-panel {} > '{}'", arguments, file.name())) == 0);
    std::ifstream stream(file.name());
    const std::string words((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const std::regex numbers(
        R"(([0-9.]+) iterations a frame; divergence rms ([0-9.e+-]+) before and ([0-9.e+-]+) after)");
    std::smatch found;
    INFO(words);
    REQUIRE(std::regex_search(words, found, numbers));
    return {std::stod(found[1]), std::stod(found[2]), std::stod(found[3])};
}

}  // namespace

TEST_CASE("fluid: multigrid leaves less divergence than conjugate gradients, and these less than Jacobi", "[fluid]") {
    const double jacobi = divergence_left("jacobi --iterations 40");
    const double cg = divergence_left("cg --iterations 40"), multigrid = divergence_left("multigrid --iterations 4");
    CAPTURE(jacobi, cg, multigrid);
    CHECK(jacobi > 50);
    CHECK(multigrid < jacobi / 5);
    CHECK(cg < 0.9 * jacobi);
    CHECK(cg > multigrid);
}

TEST_CASE("fluid: a frame of multigrid takes a thousandfold off the divergence", "[fluid]") {
    const Line line = last_line("--size 96 --frames 30");
    CHECK(line.before > 1e-4);
    CHECK(line.after < 1e-3 * line.before);
    CHECK(line.iterations <= 4);

    // One iteration leaves more, and no more of them are made than were asked for.
    const Line less = last_line("--size 96 --frames 30 --iterations 1");
    CHECK(less.iterations <= 1);
    CHECK(less.after > 10 * line.after);

    // Where no time is left for more there is one; but as long as nobody knows what one takes.
    const Line hurried = last_line("--size 96 --frames 30 --milliseconds 0.001");
    CHECK(hurried.iterations < line.iterations);
    CHECK(hurried.after > line.after);
}

TEST_CASE("fluid: smoke rises from the inlet and goes round solids", "[fluid]") {
    const auto frame = [](int number) { return last_frame(GLSOLVE_DEMO_FLUID, number, "--size 96 --show smoke"); };
    const Picture first = frame(1), late = frame(40), meets = frame(71);
    const auto above_inlet = [](const Picture& picture) { return mean_colour(picture, 0.47, 0.53, 0.05, 0.4); };
    CAPTURE(above_inlet(first), above_inlet(late));
    CHECK(above_inlet(first) < 25);  // the blue of the night
    CHECK(above_inlet(late) > above_inlet(first) + 30);
    CHECK(mean_colour(late, 0.1, 0.3, 0.05, 0.2) < 25);  // none came from beside it

    // In the 71st frame the first disc is in the middle of the plume: fire below it, and none in it.
    CHECK(mean_colour(meets, 0.47, 0.53, 0.2, 0.26) > 60);
    int most = 0;
    for (int y = 0; y < meets.height; ++y) {
        for (int x = 0; x < meets.width; ++x) {
            const double distance = std::hypot((x + 0.5) / meets.width - 0.5, (y + 0.5) / meets.height - 0.36);
            if (distance < 0.08) most = std::max(most, colour(meets, x, y));
        }
    }
    CHECK(most <= 3);
}

TEST_CASE("fluid: says no to what it does not know", "[fluid]") {
    for (const char* wrong : {"--size 63", "--size 5000", "--size many", "--method sor", "--iterations -1",
                              "--show nothing", "--milliseconds -1", "--screenshot /nowhere/at/all.png"}) {
        INFO(wrong);
        CHECK(run_demo(GLSOLVE_DEMO_FLUID, fmt::format("--frames 1 --size 64 {} > /dev/null 2>&1", wrong)) != 0);
    }
}

}  // namespace tests_of_fluid
