/// One solve on the host's side, from the caller's vectors to the method and back.
#pragma once

#include <glsolve/report.hpp>
#include <memory>
#include <span>
#include <vector>

#include "matrix/inconsistency.hpp"
#include "refinement/true_residual.hpp"
#include "solver/scaled_matrix.hpp"

namespace glsolve::inline v0_1 {

class PreparedSolver;

/// A right-hand side and its solution as the method sees them: the rows in the device's order.
class SolveColumn {
  public:
    /// All arguments must outlive the object. `resumes`: x is no guess, but where the last solve has ended.
    SolveColumn(const PreparedSolver& solver, std::span<const double> b, std::span<double> x, bool resumes = false);
    SolveColumn(SolveColumn&&) noexcept = default;

    /// With its residual computed; must not outlive the object.
    std::unique_ptr<TrueResidual> truth();
    /// Hands x back, and adds to the report what the method does not know. `is_followed`: another method finds out
    /// whether there is a solution.
    void finish(Report& report, const TrueResidual& truth, bool is_followed = false);
    /// What no x goes below, where A x = b has no solution that double precision can hold; does this one leave it?
    const LeastResidual& least() const { return least_; }
    bool has_least() const { return has_least_; }

  private:
    std::span<const double> current_b() const { return moved_b_.empty() ? b_ : moved_b_; }
    std::span<double> current_x() { return moved_x_.empty() ? x_ : std::span<double>(moved_x_); }
    const OrderedMatrix& ordered() const;
    CsrView matrix() const { return ordered().matrix(); }
    double absolute_tolerance() const;
    bool solves_square() const;
    void leave_out_unsolvable(std::span<const double> b);
    std::int64_t usual_steps(const Report& report) const;
    std::int64_t affordable(std::int64_t wanted) const;
    std::int64_t steps_in_passing(std::int64_t wanted, double solving, double looked) const;
    LeastResidual least_residual(std::span<const double> b, std::span<const double> x, std::int64_t steps) const;
    static bool is_below(const Report& report, const LeastResidual& least);
    void tell_of_unsolvable(Report& report, const TrueResidual& truth);
    void tell_of_inconsistency(Report& report);
    void approach(Report& report, double least, std::int64_t steps);
    void come_nearer(Report& report, std::int64_t steps);
    void tell_of_singularity(Report& report) const;
    bool judge_anew(Report& report);

    const PreparedSolver* solver_;
    std::span<const double> b_;
    std::span<double> x_;
    bool from_zero_;
    std::vector<double> moved_b_, moved_x_;  // where the matrix is another one on the device
    // Where closed regions prove that no x solves the system: what b is without the part that no x makes, and the norm
    // of that part.
    std::vector<double> solvable_b_;
    double unsolvable_ = 0, norm_b_ = 0;  // the latter of all of b
    double threshold_ = 0;                // |b - A x| that is asked for
    LeastResidual least_;                 // what no x goes below, as far as that is known
    bool has_least_ = false;              // x is near that
};

}  // namespace glsolve::inline v0_1
