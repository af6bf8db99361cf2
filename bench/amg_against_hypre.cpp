// CG + multigrid on the 5-point Poisson matrix, b = 1, x = 0: glsolve on OpenGL, algebraic from the matrix and
// geometric from the grid, against hypre's BoomerAMG-PCG on the same processor, set-up and solve, in turn, the medians
// of some rounds. All answers are judged here, by |b - A x| / |b| in double precision.
//     bench_amg --size 1024 --rounds 5 --stage fragment
// hypre and MPI are optional (Debian and Ubuntu: libhypre-dev, openmpi-bin; CMake has to be run again): bench_hypre
// runs in processes of its own, started for each round, so that nobody waits for work on a core while glsolve is
// measured.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <glsolve/glsolve.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "stage_option.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

#ifdef GLSOLVE_BENCH_HYPRE
constexpr const char* hypre_program = GLSOLVE_BENCH_HYPRE;
constexpr const char* mpi_launcher = GLSOLVE_BENCH_MPIEXEC;
#else
constexpr const char* hypre_program = "";
constexpr const char* mpi_launcher = "";
#endif

struct Problem {
    Index size;  ///< unknowns a side
    double tolerance;
    CsrMatrix A;
    std::vector<double> b;
};

/// |b - A x| / |b|
double true_residual(const Problem& p, std::span<const double> x) {
    std::vector<double> product(p.b.size());
    multiply(p.A, x, product);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < p.b.size(); ++i) {
        left += (p.b[i] - product[i]) * (p.b[i] - product[i]);
        right += p.b[i] * p.b[i];
    }
    return std::sqrt(left / right);
}

/// Seconds of each round, and what came out of the last.
struct Times {
    std::vector<double> setup, solve, sum;
    std::int64_t iterations = 0;
    double residual = 0;

    void add(double setup_seconds, double solve_seconds) {
        setup.push_back(setup_seconds);
        solve.push_back(solve_seconds);
        sum.push_back(setup_seconds + solve_seconds);
    }
};

/// Where the set-up of multigrid spends its seconds, of each round.
struct Parts {
    std::vector<double> strength, coarsening, interpolation, product, coarse, upload;

    void add(const HierarchyReport& h) {
        strength.push_back(h.strength_seconds);
        coarsening.push_back(h.coarsening_seconds);
        interpolation.push_back(h.interpolation_seconds);
        product.push_back(h.product_seconds);
        coarse.push_back(h.coarse_seconds);
        upload.push_back(h.upload_seconds);
    }
};

/// A solve behind a set-up that took so long.
template <class AnySolver>
void time_solve(AnySolver& solver, const Problem& p, double setup, Times& times) {
    std::vector<double> x(p.b.size(), 0.0);
    const auto ready = Clock::now();
    const Report report = solver.solve(p.b, x);
    times.add(setup, seconds_since(ready));
    times.iterations = report.iterations;
    times.residual = true_residual(p, x);
}

void run_glsolve(Device& device, const Problem& p, const AmgOptions& amg, Times& times, Parts& parts) {
    CsrMatrix A = p.A;
    const auto begin = Clock::now();
    Solver solver(device, std::move(A),
                  {.method = Method::cg,
                   .preconditioner = PreconditionerKind::amg,
                   .amg = amg,
                   .tolerance = p.tolerance,
                   .zero_guess = true});
    time_solve(solver, p, seconds_since(begin), times);
    parts.add(solver.hierarchy());
}

/// New cells and a solve: what a program does that has them anew each frame. The solver has its shaders.
void run_grid(GridSolver& solver, const Problem& p, Times& times) {
    const auto begin = Clock::now();
    solver.set_cells({});
    time_solve(solver, p, seconds_since(begin), times);
}

GridSolver make_grid_solver(Device& device, const Problem& p) {
    constexpr std::array walls{Wall::dirichlet, Wall::dirichlet};
    Options options = GridSolver::usual_options();
    options.tolerance = p.tolerance;
    options.zero_guess = true;
    return {device,
            {.width = p.size, .height = p.size, .points = GridPoints::vertices, .x_walls = walls, .y_walls = walls},
            options};
}

/// Seconds of an iteration in two floats of a device that has been at it for a while (GPUs that idle are slow to wake),
/// by what twice as many take longer.
double steady_iteration(Device& device, const Problem& p, const AmgOptions& amg, int count) {
    std::array<double, 2> least{};
    for (const int times : {1, 2}) {
        Solver solver(device, p.A,
                      {.method = Method::cg,
                       .preconditioner = PreconditionerKind::amg,
                       .precision = Precision::two_float,
                       .amg = amg,
                       .fixed_iterations = times * count,
                       .zero_guess = true});
        std::vector<double> seconds;
        for (int round = 0; round < 4; ++round) {
            std::vector<double> x(p.b.size(), 0.0);
            const auto begin = Clock::now();
            solver.solve(p.b, x);
            seconds.push_back(seconds_since(begin));
        }
        least[static_cast<std::size_t>(times - 1)] = *std::min_element(seconds.begin(), seconds.end());
    }
    return (least[1] - least[0]) / count;
}

/// What a command prints. Throws std::runtime_error when it fails.
std::string output_of(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
    std::string text;
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
    if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
    return text;
}

void run_hypre(const Problem& p, int ranks, Times& times) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("glsolve_bench_hypre_{}.x", getpid());
    // MPI as the superuser, and more ranks than cores, have to be asked for.
    const std::string text = output_of(fmt::format(
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 '{}' "
        "-n {} '{}' --size {} --tolerance {} --solution '{}'",
        mpi_launcher, ranks, hypre_program, p.size, p.tolerance, file.string()));
    const nlohmann::json report = nlohmann::json::parse(text);
    times.add(report.at("setup_seconds"), report.at("solve_seconds"));
    times.iterations = report.at("iterations");
    std::vector<double> x(p.b.size());
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(x.size() * sizeof(double)));
    if (!stream) throw std::runtime_error("hypre's solution is not there, or too short: " + file.string());
    stream.close();
    std::filesystem::remove(file);
    times.residual = true_residual(p, x);
    if (!(times.residual <= 2 * p.tolerance)) throw std::runtime_error("hypre's solution is none");
}

void print(std::string_view what, const Times& t) {
    fmt::print("{:<18} {:>8.3f} s {:>8.3f} s {:>8.3f} s {:>6} {:>10.2e}\n", what, median(t.setup), median(t.solve),
               median(t.sum), t.iterations, t.residual);
}

void print(const Parts& p) {
    fmt::print(
        "of the set-up: strength {:.3f}, coarsening {:.3f}, interpolation {:.3f}, products {:.3f}, inverse "
        "{:.3f}, upload {:.3f} s\n",
        median(p.strength), median(p.coarsening), median(p.interpolation), median(p.product), median(p.coarse),
        median(p.upload));
}

void print_ratio(std::string_view what, const Times& ours, const Times& theirs) {
    std::vector<double> ratios;
    for (std::size_t k = 0; k < ours.sum.size(); ++k) ratios.push_back(ours.sum[k] / theirs.sum[k]);
    fmt::print("{}: sum over hypre's {:.2f} (of medians); by rounds {:.2f} ... {:.2f}\n", what,
               median(ours.sum) / median(theirs.sum), *std::min_element(ratios.begin(), ratios.end()),
               *std::max_element(ratios.begin(), ratios.end()));
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("CG + multigrid against hypre's, in one run");
    Problem problem{.size = 1024, .tolerance = 1e-8, .A = {}, .b = {}};
    AmgOptions amg;
    Stage stage = Stage::automatic;
    int rounds = 5, ranks = 2, steady = 0;
    app.add_option("--size", problem.size, "unknowns a side")->check(CLI::Range(1, 40000))->capture_default_str();
    app.add_option("--rounds", rounds, "of each, in turn")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--ranks", ranks, "of hypre; 0: glsolve alone")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--tolerance", problem.tolerance, "")->capture_default_str();
    app.add_option("--steps", amg.steps, "of the smoother")->capture_default_str();
    app.add_option("--steady", steady, "time an iteration in a row of so many, too; 0: do not")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    add_stage_option(app, stage);
    CLI11_PARSE(app, argc, argv);

    problem.A = poisson2d(problem.size);
    problem.b.assign(static_cast<std::size_t>(problem.A.rows), 1.0);
    Device device = Device::open({.backend = BackendKind::opengl, .stage = stage});
    fmt::print("poisson2d {}, b = 1, tolerance {:.0e}, medians of {}\n{}, {} stage\n", problem.size, problem.tolerance,
               rounds, device.info().renderer, name(device.info().stage));
    const bool beside_hypre = ranks > 0 && *hypre_program != '\0';
    Times first, ours, grid, theirs;
    Parts parts;
    run_glsolve(device, problem, amg, first, parts);  // compiles the shaders
    parts = {};
    GridSolver grid_solver = make_grid_solver(device, problem);
    run_grid(grid_solver, problem, grid);  // compiles the shaders
    grid = {};
    for (int round = 0; round < rounds; ++round) {
        if (beside_hypre) run_hypre(problem, ranks, theirs);
        run_glsolve(device, problem, amg, ours, parts);
        run_grid(grid_solver, problem, grid);
    }
    fmt::print("\n{:<18} {:>10} {:>10} {:>10} {:>6} {:>10}\n", "", "set-up", "solve", "sum", "its", "residual");
    print("amg", ours);
    print("once, with shaders", first);
    print("grid, no matrix", grid);
    if (beside_hypre) print(fmt::format("hypre, {} ranks", ranks), theirs);
    print(parts);
    if (beside_hypre) {
        print_ratio("amg", ours, theirs);
        print_ratio("grid", grid, theirs);
    }
    if (steady > 0) {
        fmt::print("an iteration in a row of {}: {:.3f} ms\n", steady,
                   1e3 * steady_iteration(device, problem, amg, steady));
    }
    if (*hypre_program == '\0') fmt::print("hypre is not there: glsolve alone\n");
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_amg: {}\n", error.what());
    return 2;
}
