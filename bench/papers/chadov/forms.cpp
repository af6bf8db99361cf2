#include "forms.hpp"

#include <cmath>
#include <glsolve/generate.hpp>
#include <numbers>

#include "base/random.hpp"
#include "formats/choose_format.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::chebyshev {

ChadovSystem::ChadovSystem(Index side, double tolerance) : A(poisson2d(side)) {
    Random random(4);
    std::vector<double> solution(static_cast<std::size_t>(A.rows)), product(solution.size());
    for (double& number : solution) number = 2 * random.uniform() - 1;
    multiply(A, solution, product);
    b.assign(product.begin(), product.end());
    b_doubles.assign(b.begin(), b.end());
    const double cosine = std::cos(std::numbers::pi / (side + 1));
    rule = {.l_min = 1 - cosine, .l_max = 1 + cosine, .tolerance = tolerance, .max_iterations = 20 * side};
}

double ChadovSystem::residual(std::span<const double> x) const {
    std::vector<double> product(b.size());
    multiply(A, x, product);
    double rr = 0, bb = 0;
    for (std::size_t i = 0; i < product.size(); ++i) {
        rr += (b_doubles[i] - product[i]) * (b_doubles[i] - product[i]);
        bb += b_doubles[i] * b_doubles[i];
    }
    return std::sqrt(rr / bb);
}

double ChadovSystem::residual(std::span<const float> x) const {
    return residual(std::vector<double>(x.begin(), x.end()));
}

namespace {

/// The least time of all rounds, and what the backend counts in the last one. What takes more than a second is not
/// repeated.
ChadovRun counted(Backend& backend, std::string form, int rounds, const std::function<void()>& solve) {
    LeastTimes times;
    Counters before;
    for (int round = 0; round < rounds && (round == 0 || times.clock < 1); ++round) {
        before = backend.counters();
        times.least_of(solve);
    }
    const Counters& after = backend.counters();
    return {.form = std::move(form),
            .seconds = times.clock,
            .passes = after.passes - before.passes,
            .reads = after.reads - before.reads,
            .waits = after.waits - before.waits};
}

}  // namespace

NaiveChebyshev::NaiveChebyshev(Device& device, const ChadovSystem& system, FormatKind format)
    : backend_(device.backend()), system_(system) {
    const Session session(backend_);
    const std::vector<double> unscaled(system.b.size(), 1.0);
    A_ = make_format(backend_,
                     {.A = system.A,
                      .scale = unscaled,
                      .max_texture_size = backend_.info().max_texture_size,
                      .low_parts = false},
                     format)
             .matrix;
    std::vector<float> reciprocal;
    for (const double number : diagonal(system.A)) reciprocal.push_back(static_cast<float>(1 / number));
    reciprocal_ = std::make_unique<Vector>(backend_, system.A.rows, "1 / a_ii");
    reciprocal_->upload(reciprocal);
}

PublishedChebyshev NaiveChebyshev::solve(const PublishedChebyshevRule& rule) {
    const Session session(backend_);
    return published_chebyshev(backend_, *A_, *reciprocal_, system_.b, rule);
}

ChadovRun NaiveChebyshev::run(int rounds) {
    PublishedChebyshevRule few = system_.rule;
    few.max_iterations = 3;
    solve(few);  // compiles and allocates
    PublishedChebyshev last;
    ChadovRun run = counted(backend_, "naive", rounds, [&] { last = solve(system_.rule); });
    run.steps = last.iterations;
    run.residual = system_.residual(last.x);
    return run;
}

Options chadov_options(const ChadovSystem& system, Options options) {
    options.preconditioner = PreconditionerKind::jacobi;
    options.chebyshev.smallest = system.rule.l_min;
    options.chebyshev.largest = system.rule.l_max;
    options.tolerance = system.rule.tolerance;
    options.zero_guess = true;
    return options;
}

ChadovRun run_solver(Device& device, const ChadovSystem& system, std::string form, const Options& options, int rounds) {
    Solver solver(device, system.A, options);
    std::vector<double> x(system.b.size());
    Report report;
    ChadovRun run =
        counted(device.backend(), std::move(form), rounds + 1, [&] { report = solver.solve(system.b_doubles, x); });
    run.steps = report.iterations;
    run.residual = system.residual(x);
    run.remarks = report.remarks;
    return run;
}

}  // namespace glsolve::bench::chebyshev
