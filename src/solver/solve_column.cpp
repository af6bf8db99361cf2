// What no x solves is told here.
#include "solver/solve_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/norm.hpp"
#include "matrix/inconsistency.hpp"
#include "matrix/permutation.hpp"
#include "methods/direct_on_host.hpp"
#include "methods/method_table.hpp"
#include "methods/stopping_criterion.hpp"
#include "refinement/least_squares_residual.hpp"
#include "solver/prepared_solver.hpp"

namespace glsolve::inline v0_1 {

SolveColumn::SolveColumn(const PreparedSolver& solver, std::span<const double> b, std::span<double> x, bool resumes)
    : solver_(&solver), b_(b), x_(x) {
    const bool zero = !parallel_any(b.size(), [&](std::size_t i) { return b[i] != 0; });
    from_zero_ = zero || (solver.options().zero_guess && !resumes);
    if (!ordered().moves()) return;
    const std::vector<Index>& order = ordered().order();
    moved_b_ = order.empty() ? std::vector<double>(b.begin(), b.end()) : permute(b, order);
    for (double& b_i : moved_b_) b_i = std::ldexp(b_i, ordered().exponent());
    if (!order.empty()) moved_x_ = permute<double>(x, order);
}

const OrderedMatrix& SolveColumn::ordered() const { return solver_->scaled().ordered(); }

double SolveColumn::absolute_tolerance() const {
    return std::ldexp(solver_->options().absolute_tolerance, ordered().exponent());
}

/// Where b has a part that no x makes, and that alone is above the tolerance: solved is A x = b without it, which gives
/// the x with the smallest |b - A x|.
void SolveColumn::leave_out_unsolvable(std::span<const double> b) {
    const PreparedSolver& s = *solver_;
    if (s.options().method == Method::cgnr || s.A().rows != s.A().columns || s.A().value.empty()) return;
    const ClosedRegions& regions = s.closed_regions();
    least_ = glsolve::least_residual(matrix(), regions, b, threshold_);
    if (!(least_.norm > 0)) return;
    solvable_b_ = regions.project(b);
    unsolvable_ = norm_of(b.size(), [&](std::size_t i) { return solvable_b_[i]; });
    for (std::size_t i = 0; i < b.size(); ++i) solvable_b_[i] = b[i] - solvable_b_[i];
}

std::unique_ptr<TrueResidual> SolveColumn::truth() {
    const PreparedSolver& s = *solver_;
    std::span<const double> b = current_b();
    const std::span<double> x = current_x();
    norm_b_ = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    const double relative = s.options().tolerance;
    threshold_ = std::max(relative * norm_b_, absolute_tolerance());
    leave_out_unsolvable(b);
    if (unsolvable_ > 0) b = solvable_b_;
    const double absolute = unsolvable_ > 0 ? threshold_ : absolute_tolerance();
    const double norm_b = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    std::unique_ptr<TrueResidual> made;
    if (s.options().method == Method::cgnr) {
        // Who has asked for a solution, not for the smallest residual, is told that there is none only on good grounds.
        const double normal = s.wants_solution() ? std::min(relative, 1e-12) : relative;
        made = std::make_unique<LeastSquaresResidual>(matrix(), s.scaled().factors(), b, x,
                                                      LeastSquaresResidual::Tolerances{normal, relative, absolute});
    } else {
        made = std::make_unique<TrueResidual>(s.judge(), s.scaled().factors(), b, x, relative, absolute);
    }
    if (solves_square()) {
        made->set_limit([this, b, x, norm_b, begin = Clock::now(), looked = 0.0](std::int64_t steps) mutable {
            const auto now = Clock::now();
            const std::int64_t affordable = steps_in_passing(steps, seconds_since(begin) - looked, looked);
            LeastResidual least = affordable > 0 ? least_residual(b, x, affordable) : LeastResidual{};
            if (unsolvable_ == 0) least_ = least;
            looked += seconds_since(now);
            least.norm /= norm_b;
            return least;
        });
    }
    from_zero_ ? made->begin_at_zero() : made->recompute();
    return made;
}

void SolveColumn::finish(Report& report, const TrueResidual& truth, bool is_followed) {
    const PreparedSolver& s = *solver_;
    if (unsolvable_ > 0) {
        tell_of_unsolvable(report, truth);
    } else if (!is_followed && solves_square()
               && (gave_up(report.outcome) || report.outcome == Outcome::inconsistent)) {
        tell_of_inconsistency(report);
    }
    if (!is_followed) tell_of_singularity(report);
    if (!moved_x_.empty()) permute_back<double>(moved_x_, ordered().order(), x_);
    if (s.options().method == Method::cgnr && s.A().rows < s.A().columns) {
        report.remarks = fmt::format("fewer rows than columns: of all answers this is the one nearest to the guess{}",
                                     s.options().preconditioner == PreconditionerKind::none
                                         ? ""
                                         : ", each column measured by its length (preconditioner none: by |x|)");
    }
    // An x that makes |b - A x| smallest is no solution, unless nobody has asked for one.
    if (s.wants_solution() && report.converged() && report.relative_residual > s.options().tolerance) {
        report.outcome = Outcome::stagnated;
        report.reason = "no x was found with a smaller residual: " + report.reason;
    }
    if (method_row(s.options().method).is.symmetric && !s.checked().symmetric() && !report.converged()) {
        report.reason += fmt::format(
            "; the matrix is not symmetric, as {} needs it: gmres, bicgstab and the direct "
            "method do not",
            name(s.options().method));
    }
}

/// Is a square system to be solved, so that there may be no x that does?
bool SolveColumn::solves_square() const {
    const PreparedSolver& s = *solver_;
    return s.A().rows == s.A().columns && (s.options().method != Method::cgnr || s.wants_solution());
}

/// On the host, for a system that a method has failed at.
std::int64_t SolveColumn::usual_steps(const Report& report) const {
    return std::max(report.iterations, 16 * std::int64_t{solver_->A().rows} + 64);
}

/// Of `wanted` steps on the host as many as take a second or two.
std::int64_t SolveColumn::affordable(std::int64_t wanted) const {
    constexpr std::int64_t most_terms = 500'000'000;
    return std::min(wanted, most_terms / std::max<std::int64_t>(solver_->A().nonzeros(), 1));
}

/// Of `wanted` steps on the host as many as keep all looks within a quarter of the `solving` seconds, or next to none;
/// `looked`: seconds of the looks so far. 0: another look, which begins with some products, would take too long.
std::int64_t SolveColumn::steps_in_passing(std::int64_t wanted, double solving, double looked) const {
    constexpr double next_to_none = 0.002, terms_per_second = 4e8;
    constexpr std::int64_t first_products = 40;  // the scaling, and the proof in twice the precision
    const double seconds = std::max(next_to_none, solving / 4) - looked;
    const auto products =
        static_cast<std::int64_t>(seconds * terms_per_second) / std::max<std::int64_t>(solver_->A().nonzeros(), 1);
    return std::min(wanted, std::max<std::int64_t>(products - first_products, 0));
}

/// A bound from below for |b - A x| that is above the tolerance.
LeastResidual SolveColumn::least_residual(std::span<const double> b, std::span<const double> x,
                                          std::int64_t steps) const {
    return glsolve::least_residual(matrix(), b, x, threshold_, affordable(steps));
}

/// Where no x solves the system, and the method is far from the best of them, x comes nearer to that.
void SolveColumn::tell_of_inconsistency(Report& report) {
    const std::int64_t steps = usual_steps(report);
    const bool is_told = least_.norm > 0;
    const bool is_small = solver_->A().rows <= most_rows_on_host;
    if (!is_told) least_ = least_residual(current_b(), current_x(), steps);
    if (!(least_.norm > 0) && is_small) {
        least_ = least_residual_by_factors(matrix(), current_b(), threshold_);
    }
    if (!(least_.norm > 0)) {
        // More digits cost next to nothing.
        const bool wants_digits =
            report.outcome == Outcome::precision_limit && solver_->options().fixed_iterations == 0;
        if (is_small && wants_digits) come_nearer(report, steps);
        return;
    }
    const LeastResidual relative{least_.norm / norm_b_, least_.is_exact};
    if (is_below(report, relative)) {  // rounding has proved nothing
        least_ = {};
        if (is_told) {
            report.outcome = Outcome::stagnated;
            report.reason = fmt::format("no x was found with a residual below {:.2e}", report.relative_residual);
        }
        return;
    }
    if (!is_told) {
        report.outcome = Outcome::inconsistent;
        report.reason = fmt::format("{}; {}", inconsistency(relative), report.reason);
    }
    approach(report, relative.norm, steps);
}

void SolveColumn::come_nearer(Report& report, std::int64_t steps) {
    const double before = report.relative_residual;
    approach_least_residual(matrix(), current_b(), current_x(), affordable(steps));
    judge_anew(report);
    if (report.relative_residual < before) report.reason += "; steps of least squares have brought x nearer";
}

bool SolveColumn::is_below(const Report& report, const LeastResidual& least) {
    constexpr double rounding = 1e-6;
    return report.relative_residual < (1 - rounding) * least.norm;
}

/// Where |b - A x| is larger than `least` |b|, which is as small as it can be, x comes nearer to that.
void SolveColumn::approach(Report& report, double least, std::int64_t steps) {
    if (report.relative_residual > 1.1 * least) come_nearer(report, steps);
    has_least_ = report.relative_residual <= 2 * least;
}

/// The residual of all of b. Does it meet the tolerance?
bool SolveColumn::judge_anew(Report& report) {
    TrueResidual of_all(
        solver_->judge() ? solver_->judge() : std::make_shared<HostCsr>(matrix(), HostCsr::Again::never),
        solver_->scaled().factors(), current_b(), current_x(), solver_->options().tolerance, absolute_tolerance());
    of_all.recompute();
    of_all.restore_best();  // of one: as exactly as it takes
    of_all.report(report);
    // Whatever went before: what meets the tolerance is an answer.
    if (!of_all.met()) return false;
    if (!report.converged())
        report.reason = fmt::format("{}, after the method had given up: {}", of_all.outcome(), report.reason);
    report.outcome = Outcome::converged;
    return true;
}

/// By the rank, where that costs next to nothing or the method has had a hard time; or by regions that nothing holds.
void SolveColumn::tell_of_singularity(Report& report) const {
    constexpr Index most_rows = 50'000;
    constexpr std::int64_t next_to_nothing = 100'000, some_more = 100'000'000;  // multiplications
    const PreparedSolver& s = *solver_;
    if (s.A().rows != s.A().columns || report.remarks.find("singular") != std::string::npos) return;
    std::string found;
    const bool is_hard = gave_up(report.outcome) || s.origin() == MethodOrigin::goes_on;
    if (s.A().rows <= (is_hard ? most_rows : most_rows_on_host)) {
        const Index rank = s.checked().rank(is_hard ? some_more : next_to_nothing);
        if (rank < s.A().rows) {
            found = fmt::format("the matrix is singular: its rank is {} of {}", rank, s.A().rows);
        }
    }
    if (found.empty() && s.options().method != Method::cgnr && s.closed_regions().any()) {
        found = fmt::format("the matrix is singular{}: its columns sum to zero",
                            s.closed_regions().are_exact() ? "" : " to within the rounding of its entries");
    }
    if (!found.empty()) report.remarks += (report.remarks.empty() ? "" : "; ") + found;
}

/// Residuals of all of b, of which `truth` is only told the part that was solved.
void SolveColumn::tell_of_unsolvable(Report& report, const TrueResidual& truth) {
    if (judge_anew(report)) return;
    // Before the end: the two parts are orthogonal.
    const double solvable = truth.norm_b() > 0 ? truth.norm_b() : 1;
    for (HistoryEntry& entry : report.history) {
        entry.relative_residual = std::hypot(entry.relative_residual * solvable, unsolvable_) / norm_b_;
    }
    if (!report.converged() && !gave_up(report.outcome)) return;  // out of iterations, say
    const bool done = report.converged();
    report.outcome = Outcome::inconsistent;
    report.reason = fmt::format("{}; {}", inconsistency({unsolvable_ / norm_b_, least_.is_exact}),
                                done ? "without that part it is solved to the tolerance, so |b - A x| is smallest"
                                     : "without that part: " + report.reason);
    has_least_ = true;
    if (!done) approach(report, unsolvable_ / norm_b_, usual_steps(report));
}

}  // namespace glsolve::inline v0_1
