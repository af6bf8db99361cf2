/// The truth about a least-squares problem, min |b - A x| with any A: what has to vanish is the residual of the normal
/// equations,  s = A^T (b - A x).
#pragma once

#include "core/correction.hpp"

namespace glsolve::inline v0_1 {

/// Works on s where others work on r: the device solves  (A S)^T (A S) y = S s,  and x <- x + S y. Over when one of the
/// rules of C. C. Paige and M. A. Saunders (ACM Trans. Math. Softw. 8 (1982), section 6) holds:
///     |s| <= tolerance |A|_F |r|      x is a least-squares solution of a system whose matrix differs so little from A
///     |r| <= tolerance |b|            the system is consistent, and x solves it
/// Neither depends on how A or b are scaled. Since s comes from r in double precision, single precision costs
/// iterations and no accuracy, however large |r| stays.
class LeastSquaresCorrection final : public Correction {
  public:
    /// `scale` and x have an element for each column of A, b one for each row.
    LeastSquaresCorrection(const CsrMatrix& A, const RowFactors& scale, std::span<const double> b, std::span<double> x,
                           double relative_tolerance, double absolute_tolerance);

    void begin_at_zero() override;
    /// r <- b - A x,  s <- A^T r
    void recompute(bool likely_met = false) override;
    bool met() const override { return consistent() || norm_ <= tolerance_ * norm_b_; }
    std::string_view measure() const override { return "|A^T r| / (|A| |r|)"; }
    std::string_view unit() const override { return "|A| |r|"; }
    std::string outcome() const override;
    void report(Report& report) const override;
    /// |A S p|^2
    double curvature(std::span<const float> p) const override;

  private:
    bool consistent() const { return residual_ <= residual_threshold_; }
    double relative_residual() const { return right_ > 0 ? residual_ / right_ : residual_; }

    const CsrMatrix& A_;
    double tolerance_, norm_A_, right_, residual_threshold_;  // right: |b|
    double residual_ = 0;                                     // |r|
};

}  // namespace glsolve::inline v0_1
