/// Steps of the Chebyshev iteration from p = 0 as a smoother: a fixed polynomial in D^-1 A, applied to the residual.
///
/// Source:  Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 12.3.2 (Chebyshev polynomials).
///          As a recurrence with three terms, after G. H. Golub and R. S. Varga, Numer. Math. 3 (1961): the iterate
///          before takes the place of a direction, which would have to be written, too.
/// Cost:    a step is one pass, for the usual formats: it reads A, x, the x before, b, D^-1 and writes x. The first two
///          steps from zero are one pass where D^-1 is a number: it reads A, b and writes x. No inner products.
#pragma once

#include "smoothers/smoother.hpp"
#include "spectrum/chebyshev_bounds.hpp"

namespace glsolve::inline v0_1 {

class Polynomial final : public Smoother {
  public:
    /// Smallest on the interval of the bounds. Throws InvalidInput where the matrix is not positive definite.
    Polynomial(const AssembledSystem& system, const CsrMatrix& A, const ChebyshevOptions& bounds);

    /// Smallest on that interval, which is known to be one.
    Polynomial(const AssembledSystem& system, double smallest, double largest);

    void smooth(Vector& x, const Vector& b, int steps, StorageId status = {}) override;
    void smooth_from_zero(Vector& x, const Vector& b, int steps) override;
    void smooth_adjoint(Vector& x, const Vector& b, int steps) override { smooth(x, b, steps); }
    bool symmetric() const override { return true; }
    std::string remarks() const override { return bounds_.remarks(); }

  private:
    void begin();
    void go_on(Vector& x, const Vector& b, const Vector& first, float factor, int steps, StorageId status);
    /// Goes on to the next step's weight.
    float next_momentum();

    AssembledSystem system_;
    ChebyshevBounds bounds_;
    Vector before_;     // the x before, and where the next one is made: the two take turns
    float weight_ = 0;  // alpha of the latest step
};

}  // namespace glsolve::inline v0_1
