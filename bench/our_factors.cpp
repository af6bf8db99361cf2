#include "our_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace glsolve::bench {
namespace {

/// A solver, and what it says when it has solved.
struct OurSolver {
    OurSolver(Device& device, CsrView A, const Options& options, bool with_remarks)
        : solver(device, A, options), remarks(with_remarks) {}

    std::int64_t solve(const std::vector<double>& b, std::vector<double>& x, std::string& remark) {
        const Report report = solver.solve(b, x);
        remark = std::string(name(solver.format().format));
        if (!report.converged()) remark += fmt::format("; {}: {}", name(report.outcome), report.reason);
        if (remarks) {
            remark += fmt::format("; {} passes, {} reads, {} corrections; {} {}", report.passes, report.reads,
                                  report.corrections, solver.preconditioner_remark(), report.remarks);
        }
        std::ranges::replace(remark, '|', '/');
        return report.iterations;
    }
    Solver solver;
    bool remarks;
};

}  // namespace

SolveRow our_row(const std::string& title, NamedDevice& on, const TestSystem& system, const Aim& aim, Options options,
                 bool remarks) {
    options.tolerance = aim.tolerance;
    options.max_iterations = aim.max_iterations;
    options.zero_guess = true;
    Clock::time_point begin;
    options.observer = [&](const Progress&) { return seconds_since(begin) < aim.seconds; };
    return least_row(title, system, aim, [&] {
        begin = Clock::now();
        return std::make_unique<OurSolver>(on.device, system.A, options, remarks);
    });
}

}  // namespace glsolve::bench
