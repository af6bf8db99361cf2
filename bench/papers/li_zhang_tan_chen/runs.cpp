#include "runs.hpp"

#include <algorithm>
#include <cmath>
#include <glsolve/solver.hpp>
#include <optional>

#include "stopwatch.hpp"

namespace glsolve::bench::amg {
namespace {

constexpr Index published_coarsest = 3;  // rows: the paper's levels go down to 3
constexpr int most_core_rounds = 2;      // they take seconds each
constexpr int usual_steps = 3;           // what AmgOptions::steps = 0 stands for

double norm(const std::vector<double>& v) {
    double squares = 0;
    for (const double number : v) squares += number * number;
    return std::sqrt(squares);
}

/// Keeps the run that took less.
void keep_faster(CycleRun& kept, const CycleRun& latest) {
    if (kept.outcome.empty() || latest.seconds < kept.seconds) kept = latest;
}

/// What `aim.cycles` take, from a run of fewer.
CycleRun scaled(CycleRun run, const Aim& aim) {
    run.seconds *= static_cast<double>(aim.cycles) / static_cast<double>(run.cycles);
    return run;
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

CoreRuns run_on_cores(CpuCycle& core, const std::vector<double>& b, int threads, const Aim& aim) {
    core.use_threads(threads);
    CoreRuns runs;
    for (int round = 0; round < std::min(aim.rounds, most_core_rounds); ++round) {
        keep_faster(runs.fixed, scaled(run(core, b, aim.cycles_on_cores, 0), aim));
        keep_faster(runs.to_tolerance, run(core, b, aim.cycles, aim.tolerance));
    }
    return runs;
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

Options options(const Aim& aim, const AmgOptions& amg, Method method) {
    return {.method = method,
            .preconditioner = PreconditionerKind::amg,
            .amg = amg,
            .relaxation = 1,
            .tolerance = aim.tolerance,
            .zero_guess = true};
}

}  // namespace

Candidate as_published() {
    AmgOptions amg;
    amg.coarsening = Coarsening::falgout;
    amg.smoother = MultigridSmoother::cf_jacobi;
    amg.steps = 1;
    amg.coarsest = published_coarsest;
    amg.half_floats = false;
    return {"as published", amg, true};
}

Candidate ending_early() {
    Candidate early = as_published();
    early.name = "the same, ending early";
    early.amg.coarsest = early_end;
    early.by_level = false;  // its levels are the published ones
    return early;
}

Candidate own_hierarchy() {
    AmgOptions amg;
    amg.smoother = MultigridSmoother::chebyshev;
    amg.coarsest = early_end;
    amg.steps = usual_steps;
    return {"glsolve's own", amg, true};
}

Peer measure_peer(CsrView A, const Candidate& candidate, const Aim& aim) {
    const AmgOptions& amg = candidate.amg;
    Peer peer{.candidate = candidate, .hierarchy = std::make_shared<Hierarchy>(A, amg, amg.coarsest, true)};
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    CpuCycle core(*peer.hierarchy, amg.smoother, amg.steps);
    peer.one = run_on_cores(core, b, 1, aim);
    if (candidate.by_level) peer.costs = core_costs(core, aim.care);
    peer.all = run_on_cores(core, b, aim.threads, aim);
    keep_faster(peer.all.fixed, peer.one.fixed);
    keep_faster(peer.all.to_tolerance, peer.one.to_tolerance);
    return peer;
}

double DeviceRuns::hierarchy_seconds() const {
    return hierarchy.strength_seconds + hierarchy.coarsening_seconds + hierarchy.interpolation_seconds
           + hierarchy.product_seconds + hierarchy.coarse_seconds;
}

DeviceRuns measure_device(Device& device, CsrView A, const Peer& peer, const Aim& aim) {
    const AmgOptions& amg = peer.candidate.amg;
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    // A device that is the processor takes seconds for what others do in milliseconds.
    const bool slow = device.backend().can().on_processor;
    const int rounds = slow ? 1 : aim.rounds;
    DeviceRuns runs;
    {
        Options one = options(aim, amg, Method::richardson);
        one.max_iterations = 1;
        Solver solver(device, A, one);
        run(solver, b);  // one cycle: compiles what all solvers need, and wakes a device that has been idle
        for (int round = 0; round < rounds; ++round)
            keep_faster(runs.to_tolerance, run_one_by_one(solver, b, aim.cycles));
    }
    {
        Options many = options(aim, amg, Method::richardson);
        many.fixed_iterations = slow ? aim.cycles_on_cores : aim.cycles;
        const auto begin = Clock::now();
        Solver solver(device, A, many);
        runs.setup_seconds = seconds_since(begin);
        runs.hierarchy = solver.hierarchy();
        for (int round = 0; round < rounds; ++round) keep_faster(runs.fixed, scaled(run(solver, b), aim));
    }
    {
        Solver solver(device, A, options(aim, amg, Method::cg));
        for (int round = 0; round < rounds; ++round) keep_faster(runs.gradients, run(solver, b));
    }
    if (peer.candidate.by_level) {
        runs.costs = device_costs(device.backend(), A, amg, peer.hierarchy, slow ? Care::brief : aim.care);
    }
    return runs;
}

}  // namespace glsolve::bench::amg
