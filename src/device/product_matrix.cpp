#include "device/product_matrix.hpp"

#include "passes.hpp"

namespace glsolve::inline v0_1 {

namespace ending = pass::ending;

void ProductMatrix::multiply(Vector& y, const Vector& x) {
    backend_.encode(ending::multiply{.y = y, .x = x, .variant = variants().plain}.of(operands(x)));
}

void ProductMatrix::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    backend_.encode(ending::multiply_dot{.y = y, .sum = sum, .x = x, .variant = variants().plain}.of(operands(x)));
}

// Where there is no d, passes take another vector in its place and do not look at it.

void ProductMatrix::multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) {
    const ending::multiply_dots call{
        .y = y, .sum = sums, .x = x, .r = r, .d = d != nullptr ? *d : r, .variant = variant(d)};
    backend_.encode(call.of(operands(x)));
}

void ProductMatrix::residual(Vector& r, const Vector& b, const Vector& x) {
    backend_.encode(ending::residual{.y = r, .x = x, .b = b, .variant = variants().plain}.of(operands(x)));
}

void ProductMatrix::relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) {
    const ending::relax call{
        .y = x, .x = x, .b = b, .d = d != nullptr ? *d : b, .weight = weight, .status = status, .variant = variant(d)};
    backend_.encode(call.of(operands(x)));
}

void ProductMatrix::chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step s, StorageId status,
                              PartialSums* sums) {
    const Vector& factors = d != nullptr ? *d : b;
    if (sums == nullptr) {
        const ending::chebyshev call{.y = x,
                                     .p = p,
                                     .x = x,
                                     .b = b,
                                     .d = factors,
                                     .alpha = s.alpha,
                                     .beta = s.beta,
                                     .status = status,
                                     .variant = variant(d)};
        backend_.encode(call.of(operands(x)));
    } else {
        const ending::chebyshev_norms call{.y = x,
                                           .p = p,
                                           .sum = *sums,
                                           .x = x,
                                           .b = b,
                                           .d = factors,
                                           .alpha = s.alpha,
                                           .beta = s.beta,
                                           .status = status,
                                           .variant = variant(d)};
        backend_.encode(call.of(operands(x)));
    }
}

void ProductMatrix::multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) {
    const ending::multiply_two_float call{.y = y, .y_low = y_low, .sum = sum, .x = x, .variant = variants().two_float};
    backend_.encode(call.of(operands_two_float(x)));
}

void ProductMatrix::residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                       PartialSums& sum) {
    const ending::residual_two_float call{.y = r,
                                          .y_low = r_low,
                                          .sum = sum,
                                          .x = x.hi,
                                          .x_low = x.lo,
                                          .b = b.hi,
                                          .b_low = b.lo,
                                          .variant = variants().two_float};
    backend_.encode(call.of(operands_two_float(x)));
}

}  // namespace glsolve::inline v0_1
