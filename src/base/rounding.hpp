/// Bounds of rounding errors in double precision (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
/// ed., chapter 3).
#pragma once

namespace glsolve::inline v0_1 {

inline constexpr double unit_roundoff = 0x1p-53;

/// gamma_k = k u / (1 - k u): a sum of products is off by at most gamma_k times the sum of their sizes, where each term
/// goes through k roundings.
inline double gamma_of(double k) {
    const double ku = k * unit_roundoff;
    return ku < 0.5 ? ku / (1 - ku) : 1;
}

/// The same of what has been computed as if in twice the precision, and then rounded: beside u times the result.
inline double compensated_gamma_of(double k) { return gamma_of(k) * gamma_of(k); }

}  // namespace glsolve::inline v0_1
