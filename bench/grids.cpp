// Grids without a matrix beside algebraic multigrid on their matrix: iterations, and what they take.
//     bench_grids --sizes 256 512 1024 --rounds 4 --stage fragment
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <glsolve/glsolve.hpp>

#include "stage_option.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;

struct Result {
    std::int64_t iterations = 0;
    double residual = 0, solve_seconds = 0, device_seconds = 0;
};

/// `make` takes options; the quickest solve counts.
template <class Make>
Result measure(const Make& make, const Options& options, std::span<const double> b, int rounds) {
    auto solver = make(options);
    std::vector<double> x(b.size());
    Result result{.solve_seconds = 1e300, .device_seconds = 1e300};
    for (int round = 0; round <= rounds; ++round) {  // one more: the first compiles shaders
        std::fill(x.begin(), x.end(), 0.0);
        const Report report = solver.solve(b, x);
        if (round == 0) continue;
        result.iterations = report.iterations;
        result.residual = report.relative_residual;
        result.solve_seconds = std::min(result.solve_seconds, report.solve_seconds);
        result.device_seconds = std::min(result.device_seconds, report.solve_seconds - report.host_seconds);
    }
    return result;
}

void print(const char* what, int size, const Result& r, double setup) {
    fmt::print("| {} | {} x {} | {} | {:.1e} | {:.2f} | {:.2f} | {:.2f} |\n", what, size, size, r.iterations,
               r.residual, 1e3 * r.solve_seconds, 1e3 * r.device_seconds, 1e3 * setup);
    std::fflush(stdout);
}

void compare(Device& device, int size, int rounds) {
    constexpr std::array walls{Wall::dirichlet, Wall::dirichlet};
    const Grid grid{.width = size, .height = size, .points = GridPoints::vertices, .x_walls = walls, .y_walls = walls};
    const std::vector<double> b(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 1.0);
    GridSolver solver(device, grid);
    double setup = 1e300;
    for (int round = 0; round < rounds; ++round) {
        const auto begin = bench::Clock::now();
        solver.set_cells({});
        setup = std::min(setup, bench::seconds_since(begin));
    }
    print(
        "grid", size,
        measure([&](const Options& o) { return GridSolver(device, grid, o); }, GridSolver::usual_options(), b, rounds),
        setup);
    const CsrMatrix A = poisson2d(size);
    const auto begin = bench::Clock::now();
    { const Solver once(device, A, {.preconditioner = PreconditionerKind::amg}); }
    const double of_matrix = bench::seconds_since(begin);
    print("matrix, amg", size,
          measure([&](const Options& o) { return Solver(device, A, o); }, {.preconditioner = PreconditionerKind::amg},
                  b, rounds),
          of_matrix);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Poisson's equation by conjugate gradients: a grid without a matrix, and algebraic multigrid.");
    std::vector<int> sizes{256, 512, 1024};
    int rounds = 4;
    DeviceOptions options;
    app.add_option("--sizes", sizes, "unknowns a side")->capture_default_str();
    app.add_option("--rounds", rounds, "the least time of so many counts")->capture_default_str();
    bench::add_stage_option(app, options.stage);
    CLI11_PARSE(app, argc, argv);
    try {
        options.backend = BackendKind::opengl;
        Device device = Device::open(options);
        fmt::print("5-point, b = 1, tolerance 1e-8; {}, {} stage\n\n", device.info().renderer,
                   name(device.info().stage));
        fmt::print(
            "| | unknowns | iterations | residual | solve ms | without the host ms | set-up ms "
            "|\n|---|---|---|---|---|---|---|\n");
        for (const int size : sizes) compare(device, size, rounds);
    } catch (const Error& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return 1;
    }
    return 0;
}
