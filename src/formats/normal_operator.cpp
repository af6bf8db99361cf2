#include "formats/normal_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "device/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// A S: the columns are scaled.
CsrMatrix scaled(CsrMatrix A, std::span<const double> scale) {
    for (std::size_t e = 0; e < A.value.size(); ++e) A.value[e] *= scale[static_cast<std::size_t>(A.column[e])];
    return A;
}

/// The same with empty rows and columns behind its own.
CsrMatrix padded(CsrMatrix A, Index size) {
    A.offsets.resize(static_cast<std::size_t>(size) + 1, A.offsets.back());
    A.rows = A.columns = size;
    return A;
}

}  // namespace

NormalOperator::NormalOperator(Backend& backend, Index size, std::unique_ptr<Operator> A,
                               std::unique_ptr<Operator> minus_At)
    : A_(std::move(A)), minus_At_(std::move(minus_At)), t_(backend, size, "A x"), zero_(backend, size, "zeros") {
    fill(zero_.hi, 0);
    fill(zero_.lo, 0);
}

void NormalOperator::multiply(Vector& y, const Vector& x) {
    A_->multiply(t_.hi, x);                   // t <- A x
    minus_At_->residual(y, zero_.hi, t_.hi);  // y <- 0 + A^T t
}

void NormalOperator::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    multiply(y, x);
    squares_of_t(sum);
}

void NormalOperator::residual(Vector& r, const Vector& b, const Vector& x) {
    A_->residual(t_.hi, zero_.hi, x);  // t <- 0 - A x
    minus_At_->residual(r, b, t_.hi);  // r <- b + A^T t
}

void NormalOperator::multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) {
    A_->multiply_two_float(t_.hi, t_.lo, x, sum);
    minus_At_->residual_two_float(y, y_low, zero_, t_, sum);
    squares_of_t(sum);
}

void NormalOperator::residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                        PartialSums& sum) {
    A_->residual_two_float(t_.hi, t_.lo, zero_, x, sum);
    minus_At_->residual_two_float(r, r_low, b, t_, sum);
}

void NormalOperator::squares_of_t(PartialSums& sum) { sum.backend().encode(pass::squares{.sum = sum, .x = t_.hi}); }

ChosenNormalOperator make_normal_operator(Backend& backend, CsrView A, std::span<const double> scale,
                                          const Options& options, bool low_parts,
                                          const std::optional<FormatChoice>& known,
                                          const std::optional<FormatChoice>& known_transposed) {
    const Index size = std::max(A.rows, A.columns);
    const std::vector<double> ones(static_cast<std::size_t>(size), 1.0);
    CsrMatrix AS = scaled(copy_of(A), scale), minus_At = transpose(AS);
    std::transform(minus_At.value.begin(), minus_At.value.end(), minus_At.value.begin(), std::negate<>());
    const auto make = [&](CsrMatrix B, const std::optional<FormatChoice>& choice) {
        B = padded(std::move(B), size);
        return make_format(backend,
                           {.A = B,
                            .scale = ones,
                            .slicing = options.slicing,
                            .max_texture_size = backend.info().max_texture_size,
                            .low_parts = low_parts,
                            .ell_width = options.ell_width,
                            .kept_in = options.choice_cache},
                           options.format, choice);
    };
    ChosenFormat product = make(std::move(AS), known), transposed = make(std::move(minus_At), known_transposed);
    if (!known) product.choice.reason = fmt::format("A {}; A^T {}", product.choice.reason, transposed.choice.reason);
    return {std::move(product.choice), std::move(transposed.choice),
            std::make_unique<NormalOperator>(backend, size, std::move(product.matrix), std::move(transposed.matrix))};
}

}  // namespace glsolve::inline v0_1
