// What a frame's solve on textures costs: time of the device, by its own clock, and of the processor.
//     bench_frames --sizes 512 1024 --frames 100 --stage compute
// Grid: the pressure of a closed box, conjugate gradients with multigrid in single precision, from zero to 1e-4. What
// is beside the iterations (textures in and out, first and last residual) follows from twice as many. In a row: frames
// that nobody waits for, by the wall clock, with reports and without, and beside that what their passes take, from the
// first to the last of a frame; processor: what `enqueue` takes, with the host's state saved and restored and without.
// Right-hand sides, one and four in a texture: 50 iterations of cg on the 5-point matrix, whose
// numbers are constants of the shaders or stored (ell); 4 of cg with multigrid on a grid.
#include <GL/glew.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <glsolve/glsolve.hpp>
#include <vector>

#include "opengl/context.hpp"
#include "stage_option.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

GLuint make_texture(GLenum format, int size, const std::vector<float>& texels) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), size, size, 0, GL_RGBA, GL_FLOAT, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    return texture;
}

/// Divergences that add up to zero, in all four components.
std::vector<float> divergence(int size) {
    std::vector<float> texels(4 * static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            for (int k = 0; k < 4; ++k) {
                const double u = (x + 0.5) / size, v = (y + 0.5) / size, pi = 3.14159265358979;
                texels[4 * static_cast<std::size_t>(y * size + x) + static_cast<std::size_t>(k)] = static_cast<float>(
                    std::cos((3 + k) * pi * u) * std::cos(2 * pi * v) + std::cos(40 * pi * u) * std::cos(31 * pi * v));
            }
        }
    }
    return texels;
}

struct Frame {
    double device = 0;  // milliseconds
    Report last;
};

/// Medians of some frames, one after the other as a program has them.
template <class AnySolver>
Frame frames(AnySolver& solver, const TextureView& b, const TextureView& x, std::int64_t iterations, int count) {
    std::vector<double> device;
    Frame found;
    for (int frame = 0; frame < count; ++frame) {
        solver.enqueue(b, x, {.iterations = iterations, .zero_guess = true});
        std::optional<Report> report;
        while (!report) report = solver.poll();
        device.push_back(1e3 * report->device_seconds);
        found.last = *report;
    }
    found.device = median(device);
    return found;
}

/// Milliseconds of a frame where each follows upon the other.
struct Row {
    double wall = 0, passes = 0, processor = 0;
};

/// `reports`: somebody asks what has become of each; else nothing is read back, and there is no time of passes.
Row in_a_row(GridSolver& solver, const TextureView& b, const TextureView& x, std::int64_t iterations, int count,
             bool reports = true) {
    std::vector<double> passes, processor;
    const auto hear = [&] {
        if (const std::optional<Report> report = solver.poll()) passes.push_back(1e3 * report->device_seconds);
    };
    glFinish();
    const auto begin = Clock::now();
    for (int frame = 0; frame < count; ++frame) {
        const auto call = Clock::now();
        solver.enqueue(b, x, {.iterations = iterations, .zero_guess = true, .report = reports});
        processor.push_back(1e3 * seconds_since(call));
        hear();
    }
    glFinish();
    const double wall = 1e3 * seconds_since(begin) / count;
    while (reports && passes.empty()) hear();
    return {wall, reports ? median(passes) : 0, median(processor)};
}

/// Of the same context, once with its state kept and once without.
struct Devices {
    Device restores, leaves;
};

void grid(Devices& devices, int size, int count) {
    const GLuint b = make_texture(GL_RGBA32F, size, divergence(size)),
                 x = make_texture(GL_RGBA32F, size, divergence(size));
    Options options = GridSolver::usual_options();
    options.precision = Precision::single;
    options.tolerance = 1e-4;
    options.zero_guess = true;
    const auto begin = Clock::now();
    GridSolver solver(devices.restores, {.width = size, .height = size}, options);
    const double made = seconds_since(begin);
    solver.warm_up({.texture = b}, {.texture = x});
    const double warm = seconds_since(begin) - made;
    const std::int64_t needed = solver.solve({.texture = b}, {.texture = x}).iterations;
    frames(solver, {.texture = b}, {.texture = x}, needed, 20);  // GPUs wake up slowly
    const Frame once = frames(solver, {.texture = b}, {.texture = x}, needed, count),
                twice = frames(solver, {.texture = b}, {.texture = x}, 2 * needed, count);
    GridSolver stateless(devices.leaves, {.width = size, .height = size}, options);
    stateless.warm_up({.texture = b}, {.texture = x});
    in_a_row(stateless, {.texture = b}, {.texture = x}, needed, 20);
    const Row row = in_a_row(solver, {.texture = b}, {.texture = x}, needed, count),
              unasked = in_a_row(solver, {.texture = b}, {.texture = x}, needed, count, false),
              without = in_a_row(stateless, {.texture = b}, {.texture = x}, needed, count);
    fmt::print(
        "| {0} x {0} | {1} | {2:.1e} | {3:.3f} | {4:.3f} | {5:.3f} | {6:.3f} | {7:.3f} | {8:.3f} | {9:.3f} | {10:.0f} "
        "| {11:.0f} |\n",
        size, needed, once.last.relative_residual, once.device, 2 * once.device - twice.device, row.wall, unasked.wall,
        row.passes, row.processor, without.processor, 1e3 * made, 1e3 * warm);
}

template <class AnySolver>
void right_hand_sides(AnySolver solver, const char* what, int size, std::int64_t iterations, int count) {
    const GLuint b = make_texture(GL_RGBA32F, size, divergence(size)),
                 x = make_texture(GL_RGBA32F, size, divergence(size));
    std::array<double, 2> took{};
    for (const int sides : {1, 4}) {
        const TextureView from{.texture = b, .right_hand_sides = sides}, to{.texture = x, .right_hand_sides = sides};
        solver.warm_up(from, to);
        frames(solver, from, to, iterations, 5);
        took[sides == 1 ? 0 : 1] = frames(solver, from, to, iterations, count).device;
    }
    fmt::print("| {} | {} x {} | {:.3f} | {:.3f} | {:.2f} |\n", what, size, size, took[0], took[1], took[1] / took[0]);
    glDeleteTextures(1, &b);
    glDeleteTextures(1, &x);
}

void right_hand_sides(Device& device, int size, int count) {
    const Options single{.precision = Precision::single, .tolerance = 1e-7};
    Options stored = single;
    stored.format = FormatKind::ell;
    right_hand_sides(Solver(device, poisson2d(size), single), "5 points, constants", size, 50, count);
    right_hand_sides(Solver(device, poisson2d(size), stored), "5 points, stored", size, 50, count);
    Options multigrid = GridSolver::usual_options();
    multigrid.precision = Precision::single;
    right_hand_sides(GridSolver(device, {.width = size, .height = size}, multigrid), "grid, multigrid", size, 4, count);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("frames on textures");
    std::vector<int> sizes{512, 1024};
    int count = 50;
    Stage stage = Stage::automatic;
    app.add_option("--sizes", sizes, "cells a side")->check(CLI::Range(16, 8192))->capture_default_str();
    app.add_option("--frames", count, "")->check(CLI::PositiveNumber)->capture_default_str();
    bool cuda = false;
    add_stage_option(app, stage);
    app.add_flag("--cuda", cuda, "by CUDA, on the GPU of the context");
    CLI11_PARSE(app, argc, argv);
    const auto context = opengl::open_headless_context("", false);
    context->make_current();
    const std::string cache = default_program_cache();
    const auto adopt = [&](StatePolicy state) {
        return cuda ? Device::open(
                   {.backend = BackendKind::cuda, .current = true, .state = state, .program_cache = cache})
                    : Device::adopt_current_opengl(stage, state);
    };
    Devices devices{adopt(StatePolicy::restore), adopt(StatePolicy::host_resets)};
    Device& device = devices.restores;
    fmt::print("{}, {}, medians of {} frames, in a row their mean, ms\n\n", device.info().renderer,
               cuda ? "CUDA" : name(device.info().stage), count);
    fmt::print(
        "| grid | iterations | residual | device | ... beside iterations | in a row | ... without reports | ... its "
        "passes | "
        "processor | ... without state | made | warmed up |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const int size : sizes) grid(devices, size, count);
    fmt::print("\n| right-hand sides | cells | one | four | ratio |\n|---|---:|---:|---:|---:|\n");
    for (const int size : sizes) right_hand_sides(device, size, count);
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_frames: {}\n", error.what());
    return 2;
}
