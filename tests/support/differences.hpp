/// How far two matrices are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <glsolve/csr.hpp>

#include "matrix/csr_entries.hpp"

namespace glsolve::test {

inline double largest_of(CsrView A) {
    double most = 0;
    for (const double a : A.value) most = std::max(most, std::abs(a));
    return most;
}

/// The largest |a_ij - b_ij|.
inline double worst_difference(CsrView A, CsrView B) {
    double most = 0;
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) most = std::max(most, std::abs(a - entry(B, i, j)));
        for (const auto [j, b] : B.row(i)) most = std::max(most, std::abs(b - entry(A, i, j)));
    }
    return most;
}

}  // namespace glsolve::test
