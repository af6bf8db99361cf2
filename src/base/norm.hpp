#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

/// Did squares that add up to so much neither over- nor underflow?
inline bool is_safe(double sum) { return sum > 1e-280 && std::isfinite(sum); }

/// The norm of a vector given by element whose squares add up to `sum`, safe where they over- or underflow.
template <class Element>
double norm_from(double sum, std::size_t n, const Element& element) {
    if (is_safe(sum)) return std::sqrt(sum);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!std::isfinite(element(i))) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, std::abs(element(i)));
    }
    if (largest == 0) return 0;
    sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (element(i) / largest) * (element(i) / largest);
    return largest * std::sqrt(sum);
}

/// The same, where nobody has added them up.
template <class Element>
double norm_of(std::size_t n, const Element& element) {
    return norm_from(parallel_sum(n, [&](std::size_t i) { return element(i) * element(i); }), n, element);
}

/// Of a short vector: by one thread.
inline double norm_of_short(std::span<const double> x) {
    double sum = 0;
    for (const double x_i : x) sum += x_i * x_i;
    return norm_from(sum, x.size(), [&](std::size_t i) { return x[i]; });
}

}  // namespace glsolve::inline v0_1
