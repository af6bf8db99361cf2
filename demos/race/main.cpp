// A race: several methods solve one system side by side, each with a solver of its own on the same device. Above is how
// far each is from the answer, which is known here; below its residual, over iterations or over time.
//
// Each solves in slices: a Solver with few max_iterations, which `resume` takes up where it has stopped (runner.cpp).
//
// Keys: space stops the clock, R starts anew, V changes from errors to solutions and back.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <glsolve/glsolve.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "race/board.hpp"
#include "race/layout.hpp"
#include "race/results.hpp"

namespace {

struct RaceOptions {
    std::string kind, matrix, by, view = "error", output;
    std::optional<int> size;
    double tolerance = 1e-8;
    std::vector<std::string> runners;

    void add(CLI::App& app) {
        app.add_option("--kind", kind, "the equation: poisson (the default), jumps or anisotropic");
        app.add_option("--size", size, "unknowns a side, 32 to 1024 (192)");
        app.add_option("--matrix", matrix, "a Matrix Market file instead: symmetric, positive definite");
        app.add_option("--runners", runners,
                       "up to eight, METHOD or METHOD+PRECONDITIONER, as in cg,cg+ssor (names: as in `glsolve solve`)")
            ->delimiter(',');
        app.add_option("--tolerance", tolerance, "where the finish is: |b - A x| / |b|, 1e-12 to 0.1");
        app.add_option("--by", by,
                       "what the runners get the same of in each frame: iterations (with --headless) or time");
        app.add_option("--view", view, "what the pictures show: error or solution");
        app.add_option("--output", output, "write the curves here, as .csv or .json");
    }
    race::Problem problem() const {
        if (matrix.empty()) return race::make_problem(kind.empty() ? "poisson" : kind, size.value_or(192));
        if (!kind.empty() || size) throw std::runtime_error("--matrix: a file has no --kind and no --size");
        return race::read_problem(matrix);
    }
};

/// One of two words. Throws std::runtime_error that says which there are.
bool is_first(const char* option, const std::string& given, const std::string& first, const std::string& second) {
    if (given == first || given == second) return given == first;
    throw std::runtime_error(std::string(option) + " " + given + ": there are " + first + " and " + second);
}

void run(demo::StageOptions stage_options, RaceOptions options) {
    if (options.by.empty()) options.by = stage_options.headless ? "iterations" : "time";
    const race::Clock clock =
        is_first("--by", options.by, "iterations", "time") ? race::Clock::iterations : race::Clock::time;
    race::View view = is_first("--view", options.view, "error", "solution") ? race::View::error : race::View::solution;
    if (!(options.tolerance >= 1e-12 && options.tolerance <= 0.1)) {
        throw std::runtime_error("--tolerance: from 1e-12 to 0.1");
    }
    if (!options.output.empty()) race::check_output(options.output);
    for (const std::string& name : options.runners) race::parse_choice(name);
    const race::Problem problem = options.problem();

    demo::Stage stage(std::move(stage_options));
    race::Board board(stage, problem);
    // Which stage is faster is measured; by iterations nothing is to depend on what this machine is like.
    glsolve::Device device = glsolve::Device::adopt_current_opengl(
        clock == race::Clock::time ? glsolve::Stage::automatic : glsolve::Stage::fragment);
    race::Field field(device, problem, options.runners, options.tolerance, clock);
    for (const race::LeftOut& one : field.left_out()) {
        std::printf("%s is left out: %s\n", one.runner.c_str(), one.why.c_str());
    }
    bool stopped = false;
    do {
        if (stage.input().has(' ')) stopped = !stopped;
        if (stage.input().has('R')) field.start();
        if (stage.input().has('V')) view = view == race::View::error ? race::View::solution : race::View::error;
        if (!stopped) field.advance();
        board.draw(field, view);
    } while (stage.next());
    race::print(field);
    if (!options.output.empty()) race::save(options.output, field);
}

}  // namespace

int main(int argc, char** argv) try {
    demo::StageOptions stage{.name = "glsolve: race", .width = race::picture_width, .height = race::picture_height};
    RaceOptions options;
    stage.parse(argc, argv, [&](CLI::App& app) { options.add(app); });
    run(std::move(stage), std::move(options));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "race: %s\n", error.what());
    return 1;
}
