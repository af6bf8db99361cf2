/// The truth about a least-squares problem, min |b - A x| with any A: what has to vanish is the residual of the normal
/// equations,  s = A^T (b - A x).
#pragma once

#include "refinement/true_residual.hpp"

namespace glsolve::inline v0_1 {

/// Works on s where others work on r: the device solves  (A S)^T (A S) y = S s,  and x <- x + S y. Over when one of the
/// rules of C. C. Paige and M. A. Saunders (ACM Trans. Math. Softw. 8 (1982), section 6) holds:
///     |s| <= tolerance |A|_F |r|      x is a least-squares solution of a system whose matrix differs so little from A
///     |r| <= tolerance |b|            the system is consistent, and x solves it
/// Neither depends on how A or b are scaled. Since s comes from r in double precision, single precision costs
/// iterations and no accuracy, however large |r| stays.
///
/// Products of A and r would leave the range of double precision where both are tiny, or huge. So r is held in units of
/// 2^e_b, near |b|, and s in units of 2^(e_A + e_b), e_A the exponent of the largest entry of A.
class LeastSquaresResidual final : public TrueResidual {
  public:
    /// The tolerances of the rules above.
    struct Tolerances {
        double normal = 0;                  ///< of |s|, relative to |A|_F |r|
        double relative = 0, absolute = 0;  ///< of |r|, relative to |b| and as it is
    };
    /// `scale` and x have an element for each column of A, b one for each row.
    LeastSquaresResidual(CsrView A, const RowFactors& scale, std::span<const double> b, std::span<double> x,
                         const Tolerances& tolerances);

    void begin_at_zero() override;
    /// r <- b - A x,  s <- A^T r
    void recompute(bool likely_met = false) override;
    bool met() const override {
        return residual_ + residual_error_ <= residual_threshold_
               || norm_ + error_ <= tolerance_ * norm_A_ * (residual_ - residual_error_);
    }
    std::string_view measure() const override { return "|A^T r| / (|A| |r|)"; }
    std::string_view unit() const override { return "|A| |r|"; }
    std::string outcome() const override;
    void report(Report& report) const override;
    /// |A S p|^2
    double curvature(std::span<const float> p) const override;

  protected:
    void compensate() override;
    template <class Sum>
    void recompute_by(double gamma);
    bool undecided() const override {
        return TrueResidual::undecided(residual_, residual_error_, residual_threshold_)
               || TrueResidual::undecided(norm_, error_ + tolerance_ * norm_A_ * residual_error_, tolerance_ * norm_b_);
    }

    bool blurred() const override { return TrueResidual::blurred() || residual_error_ > 0.1 * residual_; }

  private:
    /// Norms and thresholds, from the residuals in r_ and `residual`.
    void take_norms(std::span<const double> residual);
    bool consistent() const { return residual_ + residual_error_ <= residual_threshold_; }
    double relative_residual() const { return right_ > 0 ? residual_ / right_ : residual_; }
    double products_behind_normal_residual() const {
        return static_cast<double>(A_->most_terms() + longest_column_ + 2);
    }

    CsrView matrix_;
    Offset longest_column_ = 0;
    int exponent_of_A_, exponent_of_b_;  // e_A, e_b
    double tolerance_;
    double unit_of_A_, unit_of_b_;              // 2^-e_A, 2^-e_b
    double norm_A_;                             // |A|_F, in units of 2^e_A
    double right_, residual_threshold_;         // |b|, and what |r| may be, in units of 2^e_b
    double residual_ = 0, residual_error_ = 0;  // |r|, and a bound of what rounding has done to it
    double sizes_of_rows_ = 0;                  // | |A| |x| + |b| |
};

}  // namespace glsolve::inline v0_1
