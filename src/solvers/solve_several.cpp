// One solve, from the caller's vectors to the method and back; and several of them together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "core/inconsistency.hpp"
#include "core/least_squares_correction.hpp"
#include "core/norm.hpp"
#include "core/permutation.hpp"
#include "solvers/cg_several.hpp"
#include "solvers/check_options.hpp"
#include "solvers/judgement.hpp"
#include "solvers/solver_impl.hpp"

namespace glsolve::inline v0_1 {

Solver::Impl::Column::Column(const Impl& solver, std::span<const double> b, std::span<double> x, bool resumes)
    : solver_(&solver), b_(b), x_(x) {
    const bool zero = !parallel_any(b.size(), [&](std::size_t i) { return b[i] != 0; });
    from_zero_ = zero || (solver.options.zero_guess && !resumes);
    const std::vector<Index>& order = solver.prepared.order;
    if (order.empty()) return;
    sorted_b_ = permute(b, order);
    sorted_x_ = permute<double>(x, order);
}

const ClosedRegions& Solver::Impl::closed_regions() const {
    if (!regions) regions.emplace(prepared.on_device(A), system->symmetric);
    return *regions;
}

/// Where b has a part that no x makes, and that alone is above the tolerance: solved is A x = b without it, which gives
/// the x with the smallest |b - A x|.
void Solver::Impl::Column::leave_out_unsolvable(std::span<const double> b, double threshold) {
    const Impl& s = *solver_;
    if (s.options.method == Method::cgnr || s.A.rows != s.A.columns || s.A.value.empty()) return;
    const ClosedRegions& regions = s.closed_regions();
    if (!(least_residual(s.prepared.on_device(s.A), regions, b, threshold) > threshold)) return;
    solvable_b_ = regions.project(b);
    unsolvable_ = norm_of(b.size(), [&](std::size_t i) { return solvable_b_[i]; });
    for (std::size_t i = 0; i < b.size(); ++i) solvable_b_[i] = b[i] - solvable_b_[i];
}

std::unique_ptr<Correction> Solver::Impl::Column::truth() {
    const Impl& s = *solver_;
    const bool sorted = !s.prepared.order.empty();
    std::span<const double> b = sorted ? std::span<const double>(sorted_b_) : b_;
    const std::span<double> x = sorted ? std::span<double>(sorted_x_) : x_;
    norm_b_ = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    const double relative = s.options.tolerance, threshold = std::max(relative * norm_b_, s.options.absolute_tolerance);
    leave_out_unsolvable(b, threshold);
    if (unsolvable_ > 0) b = solvable_b_;
    const double absolute = unsolvable_ > 0 ? threshold : s.options.absolute_tolerance;
    const double norm_b = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    std::unique_ptr<Correction> made;
    if (s.options.method == Method::cgnr) {
        // Who has asked for a solution, not for the smallest residual, is told that there is none only on good grounds.
        const double normal = s.wants_solution() ? std::min(relative, 1e-12) : relative;
        made = std::make_unique<LeastSquaresCorrection>(s.A, s.factors, b, x,
                                                        LeastSquaresCorrection::Tolerances{normal, relative, absolute});
    } else {
        made = std::make_unique<Correction>(s.judged_by, s.factors, b, x, relative, absolute);
    }
    if (s.A.rows == s.A.columns && (s.options.method != Method::cgnr || s.wants_solution())) {
        made->set_limit([&A = s.prepared.on_device(s.A), b, x, norm_b, threshold] {
            const double least = least_residual(A, b, x, threshold);
            return least > threshold ? least / norm_b : 0;
        });
    }
    from_zero_ ? made->begin_at_zero() : made->recompute();
    return made;
}

void Solver::Impl::Column::finish(Report& report, const Correction& truth) {
    const Impl& s = *solver_;
    if (unsolvable_ > 0) tell_of_unsolvable(report, truth);
    if (!s.prepared.order.empty()) permute_back<double>(sorted_x_, s.prepared.order, x_);
    if (s.options.method == Method::cgnr && s.A.rows < s.A.columns) {
        report.remarks = fmt::format("fewer rows than columns: of all answers this is the one nearest to the guess{}",
                                     s.options.preconditioner == PreconditionerKind::none
                                         ? ""
                                         : ", each column measured by its length (preconditioner none: by |x|)");
    }
    // An x that makes |b - A x| smallest is no solution, unless nobody has asked for one.
    if (s.wants_solution() && report.converged() && report.relative_residual > s.options.tolerance) {
        report.outcome = Outcome::stagnated;
        report.reason = "no x was found with a smaller residual: " + report.reason;
    }
    if (gave_up(report.outcome)) {
        if (const double limit = truth.limit(); limit > 0) {
            report.outcome = Outcome::inconsistent;
            report.reason = fmt::format("{}; {}", inconsistency(limit), report.reason);
        }
    }
    const bool needs_symmetry = is_cg(s.options.method) || s.options.method == Method::minres;
    if (needs_symmetry && !s.system->symmetric && !report.converged()) {
        report.reason += fmt::format(
            "; the matrix is not symmetric, as {} needs it: gmres, bicgstab and the direct "
            "method do not",
            name(s.options.method));
    }
}

/// Residuals of all of b, of which `truth` is only told the part that was solved.
void Solver::Impl::Column::tell_of_unsolvable(Report& report, const Correction& truth) {
    const bool sorted = !solver_->prepared.order.empty();
    Correction of_all(solver_->judged_by, solver_->factors, sorted ? std::span<const double>(sorted_b_) : b_,
                      sorted ? std::span<double>(sorted_x_) : x_, solver_->options.tolerance,
                      solver_->options.absolute_tolerance);
    of_all.recompute();
    of_all.restore_best();  // of one: as exactly as it takes
    of_all.report(report);
    // Before the end: the two parts are orthogonal.
    const double solvable = truth.norm_b() > 0 ? truth.norm_b() : 1;
    for (HistoryEntry& entry : report.history) {
        entry.relative_residual = std::hypot(entry.relative_residual * solvable, unsolvable_) / norm_b_;
    }
    if (!report.converged() && !gave_up(report.outcome)) return;  // out of iterations, say
    const bool done = report.converged();
    report.outcome = Outcome::inconsistent;
    report.reason = fmt::format("{}; {}", inconsistency(unsolvable_ / norm_b_),
                                done ? "without that part it is solved to the tolerance, so |b - A x| is smallest"
                                     : "without that part: " + report.reason);
}

std::vector<Report> Solver::Impl::solve_several(std::span<const double> b, std::span<double> x, int count) {
    const auto m = static_cast<std::size_t>(A.rows), n = static_cast<std::size_t>(A.columns);
    const auto columns = static_cast<std::size_t>(std::max(count, 0));
    if (count < 1) throw InvalidInput(fmt::format("{} right-hand sides; there has to be one at least", count));
    if (b.size() != columns * m || x.size() != columns * n) {
        throw InvalidInput(fmt::format(
            "the matrix has {} rows and {} columns, but b has {} elements and x has {}, not {} times as many", m, n,
            b.size(), x.size(), count));
    }
    std::vector<Report> reports(columns);
    for (std::size_t k = 0; k < columns;) {
        const std::size_t at_once =
            takes_several(options, *system) ? std::min<std::size_t>(columns - k, SeveralMethod::most) : 1;
        const auto these_b = b.subspan(k * m, at_once * m);
        const auto these_x = x.subspan(k * n, at_once * n);
        if (at_once == 1) {
            reports[k] = solve(these_b, these_x);
        } else {
            solve_together(these_b, these_x, std::span(reports).subspan(k, at_once));
            for (std::size_t j = k; j < k + at_once; ++j) {
                if (may_go_on(reports[j])) {
                    reports[j] = go_on(b.subspan(j * m, m), x.subspan(j * n, n), std::move(reports[j]));
                }
            }
        }
        k += at_once;
    }
    return reports;
}

SeveralMethod& Solver::Impl::four_at_once() {
    if (!several) {
        const Session open(backend);
        several = make_cg_several({*system, *assembled}, iteration_limit(options, A.columns));
    }
    return *several;
}

void Solver::Impl::solve_together(std::span<const double> b, std::span<double> x, std::span<Report> reports) {
    SeveralMethod& method_of_all = four_at_once();
    const Work work(backend, options.profile);
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<Column> columns;
    std::vector<Correction> truths;
    columns.reserve(reports.size());
    truths.reserve(reports.size());
    for (std::size_t k = 0; k < reports.size(); ++k) {
        columns.emplace_back(*this, b.subspan(k * n, n), x.subspan(k * n, n));
        truths.push_back(std::move(*columns.back().truth()));
    }
    method_of_all.solve(truths, options, reports);
    for (std::size_t k = 0; k < reports.size(); ++k) columns[k].finish(reports[k], truths[k]);
    work.account(reports, subject());
}

}  // namespace glsolve::inline v0_1
