/// Smoothing by an approximate inverse:  x <- x + weight M^-1 (b - A x),  with incomplete factors of A, say.
#pragma once

#include "inverses/incomplete.hpp"
#include "smoothers/smoother.hpp"

namespace glsolve::inline v0_1 {

class InverseSmoother final : public Smoother {
  public:
    /// For a symmetric matrix M must be so, too; the weight is then 4/3 / (spectral radius of M^-1 A), from a few steps
    /// of Lanczos, and 1 at most. Else it is 1. `A` is the matrix on the host.
    InverseSmoother(const AssembledSystem& system, CsrView A, MadeInverse inverse);

    void smooth(Vector& x, const Vector& b, int steps, StorageId status = {}) override;
    void smooth_from_zero(Vector& x, const Vector& b, int steps) override;
    void smooth_adjoint(Vector& x, const Vector& b, int steps) override { smooth(x, b, steps); }
    bool symmetric() const override { return system_.symmetric; }
    std::string remarks() const override { return inverse_.remark; }

  private:
    AssembledSystem system_;
    MadeInverse inverse_;
    Vector r_, z_;
    float weight_ = 1;
};

}  // namespace glsolve::inline v0_1
