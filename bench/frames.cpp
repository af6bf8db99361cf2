// What a frame's solve on textures costs: time of the device, by its own clock, and of the processor.
//     bench_frames --sizes 512 1024 --frames 100 --stage compute
// Grid: the pressure of a closed box, conjugate gradients with multigrid in single precision, from zero to 1e-4. What
// is beside the iterations (textures in and out, first and last residual) follows from twice as many. Right-hand sides:
// 50 iterations of cg with the diagonal on the 5-point matrix, for one and for four in a texture.
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
    double device = 0, processor = 0;  // milliseconds
    Report last;
};

/// Medians of some frames, one after the other as a program has them.
template <class AnySolver>
Frame frames(AnySolver& solver, const TextureView& b, const TextureView& x, std::int64_t iterations, int count) {
    std::vector<double> device, processor;
    Frame found;
    for (int frame = 0; frame < count; ++frame) {
        solver.enqueue(b, x, {.iterations = iterations, .zero_guess = true});
        std::optional<Report> report;
        while (!report) report = solver.poll();
        device.push_back(1e3 * report->device_seconds);
        processor.push_back(1e3 * report->solve_seconds);
        found.last = *report;
    }
    found.device = median(device);
    found.processor = median(processor);
    return found;
}

void grid(Device& device, int size, int count) {
    const GLuint b = make_texture(GL_RGBA32F, size, divergence(size)),
                 x = make_texture(GL_RGBA32F, size, divergence(size));
    Options options = GridSolver::usual_options();
    options.precision = Precision::single;
    options.tolerance = 1e-4;
    options.zero_guess = true;
    const auto begin = Clock::now();
    GridSolver solver(device, {.width = size, .height = size}, options);
    const double made = seconds_since(begin);
    solver.warm_up({.texture = b}, {.texture = x});
    const double warm = seconds_since(begin) - made;
    const std::int64_t needed = solver.solve({.texture = b}, {.texture = x}).iterations;
    frames(solver, {.texture = b}, {.texture = x}, needed, 20);  // GPUs wake up slowly
    const Frame once = frames(solver, {.texture = b}, {.texture = x}, needed, count),
                twice = frames(solver, {.texture = b}, {.texture = x}, 2 * needed, count);
    fmt::print("| {0} x {0} | {1} | {2:.1e} | {3:.3f} | {4:.3f} | {5:.3f} | {6:.0f} | {7:.0f} |\n", size, needed,
               once.last.relative_residual, once.device, 2 * once.device - twice.device, once.processor, 1e3 * made,
               1e3 * warm);
}

void right_hand_sides(Device& device, int size, int count) {
    const GLuint b = make_texture(GL_RGBA32F, size, divergence(size)),
                 x = make_texture(GL_RGBA32F, size, divergence(size));
    Solver solver(device, poisson2d(size), {.precision = Precision::single, .tolerance = 1e-7});
    std::array<double, 2> took{};
    for (const int sides : {1, 4}) {
        const TextureView from{.texture = b, .right_hand_sides = sides}, to{.texture = x, .right_hand_sides = sides};
        solver.warm_up(from, to);
        frames(solver, from, to, 50, 5);
        took[sides == 1 ? 0 : 1] = frames(solver, from, to, 50, count).device;
    }
    fmt::print("| {0} x {0} | {1:.3f} | {2:.3f} | {3:.2f} |\n", size, took[0], took[1], took[1] / took[0]);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("frames on textures");
    std::vector<int> sizes{512, 1024};
    int count = 50;
    Stage stage = Stage::automatic;
    app.add_option("--sizes", sizes, "cells a side")->check(CLI::Range(16, 8192))->capture_default_str();
    app.add_option("--frames", count, "")->check(CLI::PositiveNumber)->capture_default_str();
    add_stage_option(app, stage);
    CLI11_PARSE(app, argc, argv);
    const auto context = opengl::open_headless_context("", false);
    context->make_current();
    Device device = Device::adopt_current_opengl(stage);
    fmt::print("{}, {} stage, medians of {} frames, ms\n\n", device.info().renderer, name(device.info().stage), count);
    fmt::print(
        "| grid | iterations | residual | device | ... beside iterations | processor | made | warmed up |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const int size : sizes) grid(device, size, count);
    fmt::print("\n| matrix | one right-hand side | four | ratio |\n|---|---:|---:|---:|\n");
    for (const int size : sizes) right_hand_sides(device, size, count);
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_frames: {}\n", error.what());
    return 2;
}
