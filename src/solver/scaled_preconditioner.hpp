/// The preconditioner of S A S on a device, as one of A:  x = M^-1 b = S M_S^-1 S b.
#pragma once

#include <memory>
#include <span>

#include "device/vectors.hpp"
#include "matrix/row_factors.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

class ScaledPreconditioner {
  public:
    /// `identity`: M is that, and not S^-2 as the identity of the scaled system is. What the system refers to must
    /// outlive the object. Inside a session.
    ScaledPreconditioner(const System& system, bool identity);

    /// x <- factor M^-1 b, for vectors on the host. Waits. Inside a session.
    void apply(std::span<const double> b, std::span<double> x, double factor);

    // The same in passes, which reads nothing: b is written to `right_hand_side`, then `solution` makes x.

    Vector& right_hand_side() { return r_; }
    Vector& solution(double factor);
    /// Some vector of the same length, and a texel that is zero.
    const Vector& other() const { return z_; }
    const Scalar& zero() const { return zero_; }

  private:
    const System& system_;
    RowFactors scale_;
    bool identity_;
    Vector r_, z_;
    std::unique_ptr<Vector> S_;  // none: the identity, or not needed yet
    Scalar zero_;
};

}  // namespace glsolve::inline v0_1
