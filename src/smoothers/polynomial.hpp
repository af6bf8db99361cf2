/// Steps of the Chebyshev iteration from p = 0 as a smoother: a fixed polynomial in D^-1 A, applied to the residual.
///
/// Source:  Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 12.3.2 (Chebyshev polynomials).
///          As so many steps of Richardson, one for each zero of the polynomial: a recurrence would have to read a
///          direction, too, or the iterate before. In the order of F. Leja, which keeps rounding errors small.
/// Cost:    a step is one pass, for the usual formats: it reads A, x, b, D^-1 and writes x. The first two steps from
///          zero are one pass, for formats that read x in lines or where D^-1 is a number: it reads A, b, D^-1 and
///          writes x. No inner products.
#pragma once

#include <span>
#include <vector>

#include "smoothers/smoother.hpp"
#include "spectrum/chebyshev_bounds.hpp"

namespace glsolve::inline v0_1 {

class Polynomial final : public Smoother {
  public:
    /// Smallest on the interval of the bounds. Throws InvalidInput where the matrix is not positive definite.
    Polynomial(const AssembledSystem& system, CsrView A, const ChebyshevOptions& bounds);

    /// Smallest on that interval, which is known to be one.
    Polynomial(const AssembledSystem& system, double smallest, double largest);

    void smooth(Vector& x, const Vector& b, int steps, StorageId status = {}) override;
    void smooth_from_zero(Vector& x, const Vector& b, int steps) override;
    void smooth_from_first(Vector& x, const Vector& b, int steps) override;
    void smooth_adjoint(Vector& x, const Vector& b, int steps) override { smooth(x, b, steps); }
    bool symmetric() const override { return true; }
    std::string remarks() const override { return bounds_.remarks(); }
    /// A step adds its weight times D^-1 (b - A x) to x. Those of the latest number of steps are kept.
    std::span<const float> weights(int steps);

  private:
    void relax(Vector& x, const Vector& b, std::span<const float> weights, StorageId status);

    AssembledSystem system_;
    ChebyshevBounds bounds_;
    std::vector<float> weights_;
};

}  // namespace glsolve::inline v0_1
