/// What solves with factors have in common: the unit triangles I + L and I + U, and what is said of them.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <string>

namespace glsolve::inline v0_1 {

/// (I + L) y = r  with a strictly lower L. r and y may be the same.
inline void forward_substitution(CsrView L, std::span<const double> r, std::span<double> y) {
    const Offset* const row = L.offsets.data();
    const Index* const column = L.column.data();
    const double* const value = L.value.data();
    for (Index i = 0; i < L.rows; ++i) {
        double y_i = r.data()[i];
        for (Offset e = row[i]; e < row[i + 1]; ++e) y_i -= value[e] * y.data()[column[e]];
        y.data()[i] = y_i;
    }
}

/// (I + U) z = v  with a strictly upper U. z is v before.
inline void backward_substitution(CsrView U, std::span<double> z) {
    const Offset* const row = U.offsets.data();
    const Index* const column = U.column.data();
    const double* const value = U.value.data();
    for (Index i = U.rows - 1; i >= 0; --i) {
        double z_i = z.data()[i];
        for (Offset e = row[i]; e < row[i + 1]; ++e) z_i -= value[e] * z.data()[column[e]];
        z.data()[i] = z_i;
    }
}

/// The largest |z_i|; infinity if one is not finite.
double largest_size(std::span<const double> z);

/// The failure, or the shift; empty if A itself was factored.
std::string remark_on(double shift, int attempts, const std::string& failure);

}  // namespace glsolve::inline v0_1
