// Method::automatic: where the first method fails, another goes on from its answer, down to least squares.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>

#include "base/norm.hpp"
#include "solvers/choose_method.hpp"
#include "solvers/direct_on_host.hpp"
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
    const bool chosen =
        (asked_method == Method::automatic || is_second) && !structure.function && options.fixed_iterations == 0;
    // Small matrices have had factors in double precision: nothing finds a better x.
    const bool had_factors = options.method == Method::direct && A.rows <= most_rows_on_host;
    // Nothing leaves less than the least, but for a long x where A is singular to within rounding only.
    const bool is_best = (had_factors && report.outcome == Outcome::precision_limit)
                         || (has_least && (least.is_exact || had_factors || A.rows > most_rows_on_host));
    const bool failed = gave_up(report.outcome) || report.outcome == Outcome::not_finite
                        || report.outcome == Outcome::inconsistent
                        || (report.outcome == Outcome::max_iterations && options.max_iterations == 0);
    return chosen && failed && !is_best && std::isfinite(report.relative_residual);  // else b is to blame
}

/// The method that goes on; null: nothing is known that might do better.
void Solver::Impl::make_second(Outcome outcome, double seconds_left) {
    if (second) return;
    Options other = options;
    other.zero_guess = false;
    other.seconds = std::isfinite(seconds_left) ? seconds_left : 0;
    const auto chosen = choose_second_method(
        A, other,
        {options.method, outcome, asked_preconditioner, std::ranges::count(tried, Method::direct) > 0, least.is_exact},
        backend.can());
    if (!chosen) return;
    other.method = chosen->method;
    second = std::make_unique<Impl>(backend, A, std::move(other), Structure{});
    second->choice = *chosen;
    second->choice.preconditioner = second->options.preconditioner;
    second->asked_preconditioner = asked_preconditioner;
    second->is_second = true;
    second->tried = tried;
    second->tried.push_back(options.method);
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
        make_second(first.outcome, seconds_left);
        if (!second) return first;
        second->deadline = deadline;  // one limit for all
        next = second->solve(b, better);
    } catch (const Error& error) {
        second.reset();
        first.reason += fmt::format("; another method could not go on: {}", error.what());
        return first;
    }
    const Impl& last = second->answering();
    const std::string_view other = name(last.options.method);
    const double norm_b = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    // What one of them has proved holds for the answer of the other, if that does not deny it.
    const auto holds = [&](const Impl& of, const Report& report) {
        return report.relative_residual * norm_b >= (1 - 1e-6) * of.least.norm;
    };
    if (next.converged() || next.relative_residual < first.relative_residual) {
        std::ranges::copy(better, x.begin());
        second_has_helped = next.converged();
        Report report = told_of_both(next, first, next);
        report.reason += fmt::format("; {} continued, because {}", name(second->options.method), second->choice.reason);
        if (first.outcome == Outcome::inconsistent && !next.converged() && holds(*this, next)) {
            report.outcome = first.outcome;
            report.reason = fmt::format("{}; {}", first.reason, report.reason);
        }
        return report;
    }
    Report report = told_of_both(first, first, next);
    const bool is_claim = next.outcome == Outcome::inconsistent && holds(last, first);
    if (is_claim || next.outcome == Outcome::time_limit) report.outcome = next.outcome;
    report.reason += fmt::format("; {} went on, and ended as {}: {}", other, name(next.outcome), next.reason);
    return report;
}

}  // namespace glsolve::inline v0_1
