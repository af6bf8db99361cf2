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

  private:
    void squares_of_t(PartialSums& sum);

    std::unique_ptr<Operator> A_, minus_At_;
    TwoFloatVector t_, zero_;  // t = A x
};

/// A^T A on the device, and why its parts are stored as they are.
struct ChosenNormalOperator {
    FormatChoice choice;      ///< of A; the reason tells of both
    FormatChoice transposed;  ///< of A^T
    std::unique_ptr<NormalOperator> matrix;
};

/// (A S)^T (A S) in the formats that suit A and A^T. Vectors are as long as the longer side of A: with empty rows or
/// columns behind its own both matrices are square, and vectors of one layout serve for rows and columns. `known` and
/// `known_transposed`: the choices for other numbers in the same places, which are kept.
ChosenNormalOperator make_normal_operator(Backend& backend, CsrView A, std::span<const double> scale,
                                          const Options& options, bool low_parts,
                                          const std::optional<FormatChoice>& known = {},
                                          const std::optional<FormatChoice>& known_transposed = {});

}  // namespace glsolve::inline v0_1
