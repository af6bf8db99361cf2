/// What BiCGStab and BiCGStab(2) share: the shadow residual, products in the precision at hand, and breakdowns.
#pragma once

#include <optional>

#include "device/verbs.hpp"
#include "methods/short_recurrence.hpp"

namespace glsolve::inline v0_1 {

class StabilisedBiCg : public ShortRecurrence {
  protected:
    StabilisedBiCg(const System& system, std::int64_t max_iterations)
        : ShortRecurrence(system, max_iterations),
          y_(system.backend, system.size, "y"),
          r_(system.backend, system.size, "r"),
          shadow_(system.backend, system.size, "r0"),
          rho_(system.backend, "rho"),
          sums_(system.backend, "(r0,r), (r,r), (y,y)"),
          shadow_square_(system.backend, "(r0,r0)"),
          state_(system.backend, "state") {}

    // What makes a method of it.
    /// The residual in r is new: the shadow follows from it, there is no direction yet, y = 0.
    virtual void begin() = 0;

    const Scalar& recorded() final { return state_; }
    void restart(Residuals& residuals, double s) final {
        residuals.restart(r_, nullptr, s);
        begin();
    }
    void assess(Column& column, double /*drift*/) override {
        const TrueResidual& truth = column.truth();
        const bool broke_down = column.look.stop == Stop::breakdown || column.look.stop == Stop::not_finite;
        in_vain_ = broke_down && !truth.met() && truth.norm() > 0.99 * column.before ? in_vain_ + 1 : 0;
    }
    void forget() override { in_vain_ = 0; }
    void allocate_low_parts() override { low_.emplace(system().backend, system().size, "A u, low"); }

    /// y <- A x
    void product(Vector& y, const Vector& x) {
        if (low_) {
            system().A.multiply_two_float(y, *low_, x, partial());
        } else {
            system().A.multiply(y, x);
        }
    }
    /// Breakdowns in a row that have gained nothing.
    int breakdowns_in_vain() const { return in_vain_; }

    Vector y_, r_, shadow_;
    Scalar rho_, sums_, shadow_square_, state_;

  private:
    std::optional<Vector> low_;  // in two floats: of products
    int in_vain_ = 0;
};

}  // namespace glsolve::inline v0_1
