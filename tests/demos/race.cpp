// race: what its curves and its picture must show.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "demos/demo_picture.hpp"

namespace tests_of_race {

using demo_tests::Picture;
using demo_tests::TemporaryFile;

namespace {

// Six runners side by side: where the picture has their panes and the plot, in pixels from the upper left.
constexpr int first_pane = 24, pane = 174, next_pane = 186, panes_top = 92;
constexpr int plot_left = 84, plot_top = 360, plot_bottom = 716;

// In the order of the panes, with the colours of their curves.
struct Lane {
    const char* runner;
    std::array<int, 3> colour;
};
constexpr std::array<Lane, 6> lanes{{{"jacobi", {229, 96, 32}},
                                     {"gauss-seidel", {240, 168, 24}},
                                     {"chebyshev", {240, 228, 66}},
                                     {"cg", {32, 178, 128}},
                                     {"cg + amg", {86, 180, 233}},
                                     {"cg + multigrid", {214, 124, 182}}}};

struct Point {
    long iteration = 0;
    double seconds = 0, residual = 0;
    bool corrected = false;
};
using Curves = std::map<std::string, std::vector<Point>>;

Curves read_curves(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    REQUIRE(line == "runner,iteration,seconds,relative_residual,corrected");
    Curves curves;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string runner;
        Point point;
        char comma = ' ';
        std::getline(words, runner, ',');
        words >> point.iteration >> comma >> point.seconds >> comma >> point.residual >> comma >> point.corrected;
        INFO(line);
        REQUIRE(words);
        curves[runner].push_back(point);
    }
    return curves;
}

/// Of the last point that is no later.
double residual_at(const std::vector<Point>& curve, long iteration) {
    double residual = 1;
    for (const Point& point : curve) {
        if (point.iteration <= iteration) residual = point.residual;
    }
    return residual;
}

struct Race {
    Picture picture;
    Curves curves;
};

Race race(int frames, const std::string& arguments) {
    const TemporaryFile png(".png"), csv(".csv");
    REQUIRE(demo_tests::run_demo(GLSOLVE_DEMO_RACE, fmt::format("--frames {} --screenshot '{}' --output '{}' {}",
                                                                frames, png.name(), csv.name(), arguments))
            == 0);
    return {demo_tests::read_picture(png.name()), read_curves(csv.name())};
}

/// The mean of red, green and blue in the middle of a pane.
double brightness(const Picture& picture, int lane) {
    double sum = 0;
    int count = 0;
    for (int y = panes_top + 30; y < panes_top + pane - 5; ++y) {
        for (int x = 5; x < pane - 5; ++x, count += 3) {
            for (int channel = 0; channel < 3; ++channel) {
                sum += picture.at(first_pane + lane * next_pane + x, picture.height - 1 - y, channel);
            }
        }
    }
    return sum / count;
}

/// Columns of the plot that show a pixel of this colour; names are not written in colours.
int columns_with(const Picture& picture, const std::array<int, 3>& colour) {
    int columns = 0;
    for (int x = plot_left; x < picture.width; ++x) {
        bool found = false;
        for (int y = plot_top; y < plot_bottom && !found; ++y) {
            found = true;
            for (int channel = 0; channel < 3; ++channel) {
                const int seen = picture.at(x, picture.height - 1 - y, channel);
                found = found && std::abs(seen - colour[static_cast<std::size_t>(channel)]) <= 8;
            }
        }
        columns += found ? 1 : 0;
    }
    return columns;
}

/// The exit code, and what was said on the way.
std::pair<int, std::string> refusal(const std::string& arguments) {
    const TemporaryFile said(".txt");
    const int code =
        demo_tests::run_demo(GLSOLVE_DEMO_RACE, fmt::format("--frames 1 {} 2> '{}'", arguments, said.name()));
    std::ifstream in(said.name());
    std::string words;
    std::getline(in, words);
    return {WEXITSTATUS(code), words};
}

}  // namespace

TEST_CASE("race: each method shows what it is like", "[race]") {
    const Race seen = race(40, "--size 48");
    REQUIRE(seen.curves.size() == lanes.size());
    for (const auto& [runner, curve] : seen.curves) {
        CAPTURE(runner);
        CHECK(curve.front().residual == 1);
        CHECK(curve.back().residual < 0.5);
        CHECK(curve.back().corrected);
        CHECK(std::is_sorted(curve.begin(), curve.end(), [](const Point& a, const Point& b) {
            return a.iteration < b.iteration || (a.iteration == b.iteration && a.seconds < b.seconds);
        }));
    }
    for (const char* multigrid : {"cg + multigrid", "cg + amg"}) {
        CHECK(seen.curves.at(multigrid).back().residual <= 1e-8);
        CHECK(seen.curves.at(multigrid).back().iteration < 12);
    }
    const auto after = [&](const char* runner, long iterations) {
        return residual_at(seen.curves.at(runner), iterations);
    };
    CHECK(after("cg + multigrid", 40) < 1e-3 * after("cg", 40));
    CHECK(after("cg", 40) < 0.8 * after("jacobi", 40));
    CHECK(after("gauss-seidel", 40) < after("jacobi", 40));

    REQUIRE(seen.picture.width == 1152);
    REQUIRE(seen.picture.height == 768);
    CAPTURE(brightness(seen.picture, 0), brightness(seen.picture, 3), brightness(seen.picture, 5));
    CHECK(brightness(seen.picture, 0) > 120);
    CHECK(3 * brightness(seen.picture, 5) < brightness(seen.picture, 0));
    CHECK(3 * brightness(seen.picture, 4) < brightness(seen.picture, 0));
    for (const Lane& lane : lanes) {
        CAPTURE(lane.runner);
        CHECK(columns_with(seen.picture, lane.colour) >= 250);
    }
}

TEST_CASE("race: slices leave conjugate gradients as fast as they are", "[race]") {
    // In the checkerboard the residual rises again and again: a method that began anew each time would not get there.
    const Race seen = race(84, "--size 32 --kind jumps --runners cg+jacobi,cg+multigrid");
    REQUIRE(seen.curves.size() == 2);
    CHECK(seen.curves.at("cg + jacobi").back().residual <= 1e-8);
    CHECK(seen.curves.at("cg + jacobi").back().iteration < 32 * 32);
    CHECK(seen.curves.at("cg + multigrid").back().residual <= 1e-8);
    CHECK(seen.curves.at("cg + multigrid").back().iteration < 60);
}

TEST_CASE("race: a matrix from a file has curves, and no runner that cannot take it", "[race]") {
    const TemporaryFile file(".mtx");
    std::ofstream out(file.name());
    out << "%%MatrixMarket matrix coordinate real symmetric\n64 64 126\n";
    for (int i = 1; i <= 64; ++i) out << i << ' ' << i << " 4\n";
    for (int i = 2; i <= 63; ++i) out << i << ' ' << i - 1 << ((i & 1) != 0 ? " -1\n" : " 1\n");
    out.close();
    const Race seen = race(40, fmt::format("--matrix '{}'", file.name()));
    CHECK(seen.curves.size() == 5);
    CHECK(seen.curves.count("cg + multigrid") == 0);
    for (const auto& [runner, curve] : seen.curves) {
        CAPTURE(runner);
        CHECK(curve.back().residual <= 1e-8);
    }
}

TEST_CASE("race: a matrix that is not symmetric positive definite is refused", "[race]") {
    const auto [entries, words] = GENERATE(table<std::string, std::string>({
        {"general\n2 2 3\n1 1 4\n1 2 1\n2 2 4\n", "is not symmetric"},
        {"general\n3 2 2\n1 1 4\n2 2 4\n", "3 rows and 2 columns"},
        {"general\n2 2 2\n1 1 4\n2 2 -4\n", "row 2 has -4 on the diagonal"},
    }));
    const TemporaryFile file(".mtx");
    std::ofstream(file.name()) << "%%MatrixMarket matrix coordinate real " << entries;
    const auto [code, said] = refusal(fmt::format("--matrix '{}'", file.name()));
    CAPTURE(said);
    CHECK(code == 1);
    CHECK(said.find(words) != std::string::npos);
}

TEST_CASE("race: the same frames are the same picture", "[race]") {
    const Race one = race(12, "--size 32 --runners gauss-seidel,cg+ssor"),
               other = race(12, "--size 32 --runners gauss-seidel,cg+ssor");
    const std::size_t bytes = 3 * static_cast<std::size_t>(one.picture.width * one.picture.height);
    CHECK(std::equal(one.picture.pixels.get(), one.picture.pixels.get() + bytes, other.picture.pixels.get()));
}

TEST_CASE("race: what cannot be is refused in words", "[race]") {
    const auto [arguments, words] = GENERATE(table<std::string, std::string>({
        {"--size 8", "32 to 1024"},
        {"--size 4096", "32 to 1024"},
        {"--kind heat", "poisson, jumps and anisotropic"},
        {"--runners cg,newton", "gauss-seidel"},
        {"--runners cg+sorcery", "block-jacobi"},
        {"--runners cg,cg,cg,cg,cg,cg,cg,cg,cg", "at most 8"},
        {"--tolerance 2", "1e-12 to 0.1"},
        {"--by luck", "iterations and time"},
        {"--view x", "error and solution"},
        {"--output curves.txt", ".csv or .json"},
        {"--matrix /nowhere/A.mtx", "/nowhere/A.mtx"},
        {"--matrix /nowhere/A.mtx --size 64", "no --kind and no --size"},
        {"--output /nowhere/curves.csv --size 32 --runners cg", "/nowhere/curves.csv"},
    }));
    const auto [code, said] = refusal(arguments);
    CAPTURE(arguments, said);
    CHECK(code == 1);
    CHECK(said.rfind("race: ", 0) == 0);
    CHECK(said.find(words) != std::string::npos);
}

}  // namespace tests_of_race
