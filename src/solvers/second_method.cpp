// Method::automatic: where the first method fails, another goes on from its answer, once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>

#include "solvers/choose_method.hpp"
#include "solvers/solver_impl.hpp"
#include "solvers/stopping_criterion.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What is said of `answer`, one of the two, with what both took: the history of the second goes on where the first
/// one's ends.
Report told_of_both(const Report& answer, const Report& first, const Report& second) {
    Report told = answer;
    told.history = first.history;
    for (HistoryEntry entry : second.history) {
        entry.iteration += first.iterations;
        told.history.push_back(entry);
    }
    told.profile = first.profile;
    told.profile.insert(told.profile.end(), second.profile.begin(), second.profile.end());
    told.iterations = first.iterations + second.iterations;
    told.corrections = first.corrections + second.corrections;
    told.corrections_on_device = first.corrections_on_device + second.corrections_on_device;
    told.setup_seconds = first.setup_seconds + second.setup_seconds;
    told.solve_seconds = first.solve_seconds + second.solve_seconds;
    told.host_seconds = first.host_seconds + second.host_seconds;
    told.passes = first.passes + second.passes;
    told.reads = first.reads + second.reads;
    return told;
}

}  // namespace

bool Solver::Impl::may_go_on(const Report& report) const {
    const bool chosen = asked_method == Method::automatic && !structure.function && options.fixed_iterations == 0;
    const bool failed = gave_up(report.outcome) || report.outcome == Outcome::not_finite
                        || (report.outcome == Outcome::inconsistent && is_far_from_least)
                        || (report.outcome == Outcome::max_iterations && options.max_iterations == 0);
    return chosen && failed && std::isfinite(report.relative_residual);  // else b is to blame
}

Report Solver::Impl::go_on(std::span<const double> b, std::span<double> x, Report first) {
    Report next;
    std::vector<double> better(x.begin(), x.end());
    const double seconds_left = deadline.left();
    if (seconds_left <= 0) {
        first.outcome = Outcome::time_limit;
        first.reason += fmt::format("; {}, and no other method has gone on", out_of_time(deadline).why);
        return first;
    }
    try {
        if (!second) {
            Options other = options;
            other.zero_guess = false;
            other.seconds = seconds_left;
            const auto chosen = choose_second_method(A, other, options.method, first.outcome, backend.can());
            if (!chosen) return first;
            other.method = chosen->method;
            second = std::make_unique<Impl>(backend, A, std::move(other), Structure{});
            second->choice = *chosen;
            second->choice.preconditioner = second->options.preconditioner;
            second->is_second = true;
        }
        second->deadline = deadline;  // one limit for both
        next = second->solve_once(b, better, false);
    } catch (const Error& error) {
        second.reset();
        first.reason += fmt::format("; another method could not go on: {}", error.what());
        return first;
    }
    const std::string_view other = name(second->options.method);
    if (next.converged() || next.relative_residual < first.relative_residual) {
        std::ranges::copy(better, x.begin());
        second_has_helped = next.converged();
        Report report = told_of_both(next, first, next);
        report.reason += fmt::format("; {} has gone on where {}", other, second->choice.reason);
        if (first.outcome == Outcome::inconsistent && !next.converged()) {  // which was proved
            report.outcome = first.outcome;
            report.reason = fmt::format("{}; {}", first.reason, report.reason);
        }
        return report;
    }
    Report report = told_of_both(first, first, next);
    if (next.outcome == Outcome::inconsistent || next.outcome == Outcome::time_limit) report.outcome = next.outcome;
    report.reason += fmt::format("; {} went on, and ended as {}: {}", other, name(next.outcome), next.reason);
    return report;
}

}  // namespace glsolve::inline v0_1
