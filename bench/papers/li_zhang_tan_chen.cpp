// The tables of J. Li, X. Zhang, G. Tan and M. Chen, algebraic multigrid on the GPU (2011), anew: 200 cycles and a
// solve to 1e-6 on the 5-point matrix with 1,000,000 rows, and what each level of a cycle takes, on a device and on one
// CPU core. The hierarchy as published (Falgout, Jacobi over C and F unknowns, all levels on the device), the same
// ending early in an inverse, and glsolve's own.
//     bench_amg_tables --plot amg-levels.png --json amg-tables.json
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/glsolve.hpp>
#include <memory>
#include <optional>

#include "amg/check_amg.hpp"
#include "amg_results.hpp"
#include "cli/gnuplot.hpp"
#include "stage_option.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

constexpr Index published_coarsest = 3;  // rows: the paper's levels go down to 3

struct Candidate {
    std::string name;
    AmgOptions amg;
};

std::vector<Candidate> candidates() {
    AmgOptions published;
    published.coarsening = Coarsening::falgout;
    published.smoother = MultigridSmoother::cf_jacobi;
    published.steps = 1;
    published.coarsest = published_coarsest;
    published.half_floats = false;
    AmgOptions early = published;
    early.coarsest = usual_coarsest;
    AmgOptions own;
    own.coarsest = usual_coarsest;
    own.steps = 2;  // what 0 stands for
    return {{"as published", published}, {"the same, ending early", early}, {"glsolve", own}};
}

double norm(const std::vector<double>& v) {
    double squares = 0;
    for (const double number : v) squares += number * number;
    return std::sqrt(squares);
}

/// At most so many cycles, until |b - A x| <= tolerance |b|.
CycleRun run(CpuCycle& core, const std::vector<double>& b, int cycles, double tolerance) {
    const double size = norm(b);
    std::vector<double> x(b.size(), 0.0);
    CycleRun made;
    const auto begin = Clock::now();
    for (;;) {
        // The last residual is only looked at.
        const bool last = made.cycles == cycles;
        made.residual = core.improve(x, b, last ? HUGE_VAL : tolerance * size) / size;
        if (last || made.residual <= tolerance) break;
        ++made.cycles;
    }
    made.seconds = seconds_since(begin);
    made.outcome = made.residual <= tolerance ? "converged" : "ended";
    return made;
}

CycleRun described(const Report& report, std::int64_t cycles, Clock::time_point begin) {
    return {.seconds = seconds_since(begin),
            .cycles = cycles,
            .residual = report.relative_residual,
            .outcome = std::string(name(report.outcome))};
}

CycleRun run(Solver& solver, const std::vector<double>& b) {
    std::vector<double> x(b.size(), 0.0);
    const auto begin = Clock::now();
    const Report report = solver.solve(b, x);
    return described(report, report.iterations, begin);
}

/// With a solver that ends after each cycle: x comes back, as in the paper, and each cycle is for its true residual.
/// Single precision alone would lose sight of that after a few.
CycleRun run_one_by_one(Solver& solver, const std::vector<double>& b, int cycles) {
    std::vector<double> x(b.size(), 0.0);
    const auto begin = Clock::now();
    Report report = solver.solve(b, x);
    std::int64_t done = report.iterations;
    while (report.outcome == Outcome::max_iterations && done < cycles) {
        report = solver.resume(b, x);
        done += report.iterations;
    }
    return described(report, done, begin);
}

/// A hierarchy on the device, in several solvers, and on the core.
class Contestant {
  public:
    Contestant(Device& device, const CsrMatrix& A, const Setting& setting, const Candidate& candidate)
        : one_by_one_(device, A, options(setting, candidate.amg, Method::richardson, 1)),
          fixed_(device, A, with_fixed(options(setting, candidate.amg, Method::richardson, 0), setting.cycles)),
          gradients_(device, A, options(setting, candidate.amg, Method::cg, 0)),
          hierarchy_(A, candidate.amg, candidate.amg.coarsest, true) {
        result_.name = candidate.name;
        result_.amg = candidate.amg;
        result_.hierarchy = fixed_.hierarchy();
        // Where the coarsest level's inverse is too ill-conditioned the device has further levels.
        while (hierarchy_.count() < static_cast<int>(result_.hierarchy.levels.size()) && hierarchy_.extend()) {
        }
        core_.emplace(hierarchy_, candidate.amg.smoother, candidate.amg.steps);
    }
    Contestant(const Contestant&) = delete;  // the cycle knows where the hierarchy is
    Contestant& operator=(const Contestant&) = delete;

    void run_on_device(const Setting& setting, const std::vector<double>& b) {
        // The many cycles first: they wake a device that has been idle.
        keep(result_.fixed.device, run(fixed_, b), 0);
        keep(result_.to_tolerance.device, run_one_by_one(one_by_one_, b, setting.cycles), 1);
        keep(result_.gradients, run(gradients_, b), 2);
    }
    void run_on_core(const Setting& setting, const std::vector<double>& b) {
        keep(result_.fixed.core, run(*core_, b, setting.cycles, 0), 3);
        keep(result_.to_tolerance.core, run(*core_, b, setting.cycles, setting.tolerance), 4);
    }
    void look_at_levels(Device& device, const CsrMatrix& A) {
        costs_.push_back(measure_cycle(device.backend(), A, result_.amg, *core_));
        result_.costs = median_of(costs_);
    }
    const HierarchyResult& result() const { return result_; }

  private:
    static Options options(const Setting& setting, const AmgOptions& amg, Method method, std::int64_t iterations) {
        return {.method = method,
                .preconditioner = PreconditionerKind::amg,
                .amg = amg,
                .relaxation = 1,
                .tolerance = setting.tolerance,
                .max_iterations = iterations,
                .zero_guess = true};
    }
    static Options with_fixed(Options options, int cycles) {
        options.fixed_iterations = cycles;
        return options;
    }
    /// The latest run, with the median of the seconds so far.
    void keep(CycleRun& kept, CycleRun latest, std::size_t which) {
        seconds_[which].push_back(latest.seconds);
        kept = std::move(latest);
        kept.seconds = median(seconds_[which]);
    }

    Solver one_by_one_, fixed_, gradients_;
    Hierarchy hierarchy_;
    std::optional<CpuCycle> core_;
    HierarchyResult result_;
    std::vector<CycleCosts> costs_;
    std::array<std::vector<double>, 5> seconds_;
};

std::vector<HierarchyResult> measure(Device& device, const Setting& setting) {
    const CsrMatrix A = poisson2d(setting.size);
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    std::vector<std::unique_ptr<Contestant>> contestants;
    for (const Candidate& candidate : candidates()) {
        contestants.push_back(std::make_unique<Contestant>(device, A, setting, candidate));
    }
    for (int round = 0; round < setting.rounds; ++round) {
        for (const auto& contestant : contestants) contestant->run_on_device(setting, b);
        for (const auto& contestant : contestants) contestant->run_on_core(setting, b);
        for (const auto& contestant : contestants) contestant->look_at_levels(device, A);
    }
    std::vector<HierarchyResult> results;
    for (const auto& contestant : contestants) results.push_back(contestant->result());
    return results;
}

/// What is sure to fail is found out before the work, not after it.
void require_place(const std::filesystem::path& file) {
    if (std::filesystem::is_directory(file)) throw Error(fmt::format("{}: is a folder, not a file", file.string()));
    const std::filesystem::path folder = file.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder)) {
        throw Error(fmt::format("{}: there is no folder {}", file.string(), folder.string()));
    }
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app(
        "The tables of Li, Zhang, Tan and Chen (2011): algebraic multigrid, level by level, on a device and on one "
        "CPU core");
    Setting setting;
    std::filesystem::path picture, json;
    Stage stage = Stage::automatic;
    app.add_option("--size", setting.size, "unknowns a side of the 5-point matrix; the paper has 1000")
        ->check(CLI::Range(2, 10000))
        ->capture_default_str();
    app.add_option("--cycles", setting.cycles, "of the long run, and at most of the one to the tolerance")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    app.add_option("--tolerance", setting.tolerance, "of |b - A x| / |b| in double precision")
        ->check(CLI::Range(1e-12, 1.0))
        ->capture_default_str();
    app.add_option("--rounds", setting.rounds, "of all that is timed, the hierarchies in turn; medians count")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    add_stage_option(app, stage);
    app.add_option("--plot", picture, "draws the time of each level: FILE.svg or FILE.png (needs gnuplot)")
        ->type_name("FILE");
    app.add_option("--json", json, "writes all figures")->type_name("FILE");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (!picture.empty()) cli::require_gnuplot();
    require_place(picture);
    require_place(json);

    Device device = Device::open({.backend = BackendKind::opengl, .stage = stage});
    setting.device = device.info();
    const std::vector<HierarchyResult> results = measure(device, setting);
    print(setting, results);
    if (!json.empty()) write_json(json, setting, results);
    if (!picture.empty()) plot(picture, setting, results);
    return std::all_of(results.begin(), results.end(), reduce_alike) ? 0 : 1;
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_amg_tables: {}\n", error.what());
    return 2;
}
