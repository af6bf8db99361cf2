// The same solves on CUDA, in single and in double precision, and in OpenGL's compute stage: in one process, in turn.
//     bench_places --sizes 512 1024 --rounds 5 --preconditioner jacobi
//     bench_places --places cuda --three --sizes 128
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <list>
#include <map>
#include <random>

#include "formats/choose_format.hpp"
#include "matrix/scaling.hpp"
#include "methods/cg.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "refinement/method.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

struct Place {
    std::string name;
    DeviceOptions device;
    Precision precision;
};

std::vector<Place> all_places(std::string_view cache) {
    const DeviceOptions compute{.backend = BackendKind::opengl, .stage = Stage::compute};
    const DeviceOptions cuda{.backend = BackendKind::cuda, .program_cache = cache};
    return {{"compute", compute, Precision::automatic},
            {"compute-single", compute, Precision::single},
            {"cuda", cuda, Precision::automatic},
            {"cuda-single", cuda, Precision::single},
            {"cuda-double", cuda, Precision::doubles}};
}

std::vector<double> random_numbers(Index n) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::vector<double> made(static_cast<std::size_t>(n));
    for (double& m : made) m = normal(random);
    return made;
}

double true_residual(CsrView A, const std::vector<double>& x, const std::vector<double>& b) {
    double r = 0, norm = 0;
    for (Index i = 0; i < A.rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        double left = b[row];
        for (Offset e = A.offsets[row]; e < A.offsets[row + 1]; ++e) {
            const auto at = static_cast<std::size_t>(e);
            left -= A.value[at] * x[static_cast<std::size_t>(A.column[at])];
        }
        r += left * left;
        norm += b[row] * b[row];
    }
    return std::sqrt(r / norm);
}

/// Iterations of conjugate gradients that change nothing, since the solve has ended: they move the same bytes.
class OnDevice {
  public:
    OnDevice(Backend& backend, CsrView A, const Options& options)
        : backend_(backend),
          session_(backend),
          A_(copy_of(A)),
          options_(options),
          scale_(choose_scaling(A, ScalingRule::always)),
          stored_(make_format(backend, {A_, scale_, {}, backend.info().max_texture_size}, FormatKind::automatic)),
          system_{.backend = backend,
                  .A = *stored_.matrix,
                  .size = A.rows,
                  .infinity_norm = infinity_norm(A, scale_),
                  .symmetric = true,
                  .scale = scale_},
          M_(preconditioner_row(options.preconditioner).make({{system_, *stored_.matrix}, A_, options_, {}})) {
        system_.M = M_.M();
        cg_ = make_cg(system_, 50);
        const std::vector<double> b = random_numbers(A.rows);
        std::vector<double> x(b.size(), 0.0);
        TrueResidual truth(A_, RowFactors(scale_), b, x, 1e-8, 0);
        truth.recompute();
        Report report;
        cg_->solve(truth, {}, report);
    }
    /// Seconds from the first pass to the last: the least of some times.
    double seconds(std::int64_t iterations) {
        double least = 1e300;
        for (int k = 0; k < 8; ++k) {
            const Ticket begin = backend_.mark_time();
            cg_->encode_iterations(iterations);
            const Ticket end = backend_.mark_time();
            backend_.finish();
            const double from = backend_.try_time(begin).value_or(0), to = backend_.try_time(end).value_or(0);
            least = std::min(least, to - from);
        }
        return least;
    }

  private:
    Backend& backend_;
    Session session_;
    CsrMatrix A_;
    Options options_;
    std::vector<double> scale_;
    ChosenFormat stored_;
    System system_;
    MadePreconditioner M_;
    std::unique_ptr<IterativeMethod> cg_;
};

/// One place at work on one system.
struct Runner {
    Runner(const Place& place, CsrView A, Options options) : name(place.name), begin(Clock::now()) {
        options.precision = report_precision = place.precision;
        device = Device::open(place.device);
        opened = seconds_since(begin);
        solver.emplace(device, A, options);
        options.fixed_iterations = shorter;
        few.emplace(device, A, options);
        options.fixed_iterations = longer;
        many.emplace(device, A, options);
    }
    /// Of as many iterations as the solve took, on the device alone.
    void time_device(CsrView A, Options options) {
        Backend& backend = device.backend();
        const auto doubles = report_precision == Precision::doubles ? backend.in_doubles() : nullptr;
        on_device = OnDevice(doubles ? *doubles : backend, A, options).seconds(report.iterations);
    }
    /// Seconds of an iteration alone: what a long run takes longer than a short one.
    void time_iterations(const std::vector<double>& b) {
        std::vector<double> x(b.size(), 0.0);
        const double first = few->solve(b, x).solve_seconds;
        std::fill(x.begin(), x.end(), 0.0);
        iteration.push_back((many->solve(b, x).solve_seconds - first) / (longer - shorter));
    }
    void solve(CsrView A, const std::vector<double>& b) {
        std::vector<double> x(b.size(), 0.0);
        report = solver->solve(b, x);
        seconds.push_back(report.solve_seconds);
        residual = true_residual(A, x, b);
        if (first_solve == 0) first_solve = seconds_since(begin) - opened;
    }

    static constexpr int shorter = 64, longer = 576;
    std::string name;
    Clock::time_point begin;
    Device device;
    double opened = 0, first_solve = 0, residual = 0, on_device = 0;
    Precision report_precision{};
    std::optional<Solver> solver, few, many;
    std::vector<double> seconds, iteration;
    Report report;
};

void run(const std::vector<Place>& places, CsrView A, const Options& options, int rounds) {
    const std::vector<double> b = random_numbers(A.rows);
    std::list<Runner> runners;
    for (const Place& place : places) {
        try {
            Runner& runner = runners.emplace_back(place, A, options);
            runner.solve(A, b);  // compiles what is left
        } catch (const Error& failure) {
            fmt::print("{}: {}\n", place.name, failure.what());
            if (!runners.empty() && runners.back().name == place.name) runners.pop_back();
        }
    }
    for (Runner& runner : runners) runner.seconds.clear();
    for (int round = 0; round < rounds; ++round) {
        for (Runner& runner : runners) runner.solve(A, b);
        if (options.preconditioner != PreconditionerKind::jacobi) continue;
        for (Runner& runner : runners) runner.time_iterations(b);
    }
    for (Runner& runner : runners) runner.time_device(A, options);
    fmt::print(
        "{} rows, {}, {}\n| place | solve, ms | iterations | us each | device alone, ms | iteration alone, us | "
        "residual | opened, s | "
        "first solve after that, s |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        A.rows, name(options.method), name(options.preconditioner));
    for (const Runner& r : runners) {
        const double solve = *std::min_element(r.seconds.begin(), r.seconds.end());
        const double alone = r.iteration.empty() ? 0 : *std::min_element(r.iteration.begin(), r.iteration.end());
        fmt::print("| {} | {:.2f} | {} | {:.1f} | {:.2f} | {:.1f} | {:.1e} | {:.3f} | {:.3f} |\n", r.name, solve * 1e3,
                   r.report.iterations,
                   solve * 1e6 / static_cast<double>(std::max<std::int64_t>(r.report.iterations, 1)), r.on_device * 1e3,
                   alone * 1e6, r.residual, r.opened, r.first_solve);
    }
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("The same solves in several places, in one process: least times of some rounds");
    std::vector<Index> sizes{512, 1024};
    std::vector<std::string> names{"compute", "cuda", "cuda-double"};
    int rounds = 5;
    bool three = false;
    Options options{.tolerance = 1e-8, .zero_guess = true};
    app.add_option("--sizes", sizes, "unknowns a side of the grid")->allow_extra_args()->capture_default_str();
    app.add_option("--places", names, "compute, compute-single, cuda, cuda-single, cuda-double")->capture_default_str();
    app.add_option("--rounds", rounds, "solves of each, in turn")->capture_default_str();
    app.add_flag("--three", three, "grids in space");
    app.add_option("--tolerance", options.tolerance, "")->capture_default_str();
    app.add_option("--preconditioner", options.preconditioner, "")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, PreconditionerKind>{{"jacobi", PreconditionerKind::jacobi},
                                                      {"amg", PreconditionerKind::amg},
                                                      {"multigrid", PreconditionerKind::multigrid}}));
    CLI11_PARSE(app, argc, argv);
    const std::string cache = default_program_cache();
    std::vector<Place> places = all_places(cache);
    std::erase_if(places, [&](const Place& p) { return std::find(names.begin(), names.end(), p.name) == names.end(); });
    for (const Index size : sizes) run(places, three ? poisson3d(size) : poisson2d(size), options, rounds);
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_places: {}\n", error.what());
    return 2;
}
