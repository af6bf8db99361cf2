/// What the forms of conjugate gradients share: a direction that is kept through corrections, and how long they are
/// waited for.
#pragma once

#include <utility>

#include "methods/short_recurrence.hpp"
#include "refinement/cg_step.hpp"

namespace glsolve::inline v0_1 {

class ConjugateGradients : public ShortRecurrence {
  protected:
    using ShortRecurrence::ShortRecurrence;

    /// The direction that has been in use when a run ended; its curvature tells whether the matrix is to blame.
    virtual const Vector& direction() const = 0;
    /// Clears the scalars that go on through corrections.
    virtual void forget_scalars() = 0;

    void assess(Column& column, double drift) override {
        if (column.look.stop == Stop::indefinite) column.judgement.indefinite(column.refinement.curvature(direction()));
        keeps_direction_ = direction_survives(column.look, drift);
    }
    void forget() final {
        forget_scalars();
        scale_ = 0;
        keeps_direction_ = false;
    }
    /// Matrices that need two floats have long plateaus; where there is something better to go on with, patience is
    /// short.
    StoppingRules rules(bool may_change) const final {
        if (in_two_floats()) return {.arithmetic = "two floats", .patience = 24};
        if (system().backend.holds_doubles()) return {.arithmetic = "double precision", .patience = 24};
        return {.patience = may_change ? 1 : StoppingRules{}.patience};
    }
    bool carries_low_residual() const final { return true; }
    bool finite_termination() const final { return system().symmetric; }

    /// What is in two floats, or in doubles, does not drift.
    float tolerated_drift(bool two_floats) const {
        return two_floats || system().backend.holds_doubles() ? any_drift : ShortRecurrence::tolerated_drift();
    }

    /// Is p worth keeping through the correction that comes?
    bool keeps_direction() const { return keeps_direction_; }
    /// The vectors are scaled by s from here on; returns in times of what they were before.
    float rescale(double s) {
        const double before = std::exchange(scale_, s);
        return static_cast<float>(before > 0 ? s / before : 1);
    }

  private:
    double scale_ = 0;  // 0: the vectors on the device hold nothing
    bool keeps_direction_ = false;
};

}  // namespace glsolve::inline v0_1
