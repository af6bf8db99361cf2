/// The matrix A^T A of normal equations, which is never formed: its product is one with A and one with A^T.
#pragma once

#include "formats/choose_format.hpp"

namespace glsolve::inline v0_1 {

class NormalOperator final : public Operator {
  public:
    /// A, and -A^T: of all products only `residual` takes a second vector in two floats, and it subtracts. Both are
    /// square, with `size` rows, some of them empty.
    NormalOperator(Backend& backend, Index size, std::unique_ptr<Operator> A, std::unique_ptr<Operator> minus_At);

    std::int64_t bytes() const override { return A_->bytes() + minus_At_->bytes(); }
    void multiply(Vector& y, const Vector& x) override;
    /// The sum is |A x|^2: that is (x, A^T A x) without its cancellation, and never negative.
    void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) override;
    void residual(Vector& r, const Vector& b, const Vector& x) override;
    void multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) override;
    /// Of sum the second component is | |A|^T |A x| + |b| |^2.
    void residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                            PartialSums& sum) override;

    /// No single pass ends two products: there are no such steps, and methods that take them are for square systems.
    void multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) override;
    void multiply_dot(Field& y, const Field& x, PartialSums& sum) override;
    bool has_chaotic_steps() const override { return false; }
    void chebyshev_chaotic(Vector& x, Vector& p, const Vector& b, const Vector* d, std::span<const Step> steps,
                           StorageId status) override;
    void relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) override;
    void chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step step, StorageId status,
                   PartialSums* sums) override;

  private:
    void squares_of_t(PartialSums& sum);

    std::unique_ptr<Operator> A_, minus_At_;
    TwoFloatVector t_, zero_;  // t = A x
};

/// (A S)^T (A S) in the formats that suit A and A^T. Vectors are as long as the longer side of A: with empty rows or
/// columns behind its own both matrices are square, and vectors of one layout serve for rows and columns.
ChosenFormat make_normal_operator(Backend& backend, const CsrMatrix& A, std::span<const double> scale,
                                  const Options& options, bool low_parts);

}  // namespace glsolve::inline v0_1
