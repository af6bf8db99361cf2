#include "core/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What a row is scaled by: its diagonal entry, or its largest where that is zero or not wanted.
double pivot(const CsrMatrix& A, Index i, ScalingRule rule) {
    double largest = 0;
    for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
        const double value = std::abs(A.value[static_cast<std::size_t>(k)]);
        const bool diagonal = A.column[static_cast<std::size_t>(k)] == i && rule != ScalingRule::by_largest;
        if (diagonal && value != 0) return value;
        largest = std::max(largest, value);
    }
    return largest;
}

}  // namespace

std::vector<double> choose_scaling(const CsrMatrix& A, ScalingRule rule) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> scale(n, 1.0), pivots(n);
    parallel_each(n, [&](std::size_t i) { pivots[i] = pivot(A, static_cast<Index>(i), rule); });
    if (rule == ScalingRule::alike) {
        const double most = n == 0 ? 0 : *std::max_element(pivots.begin(), pivots.end());
        if (most > 0) std::fill(scale.begin(), scale.end(), std::exp2(-std::floor(std::round(std::log2(most)) / 2)));
        return scale;
    }
    // Where all are alike a power of two does as well, and is exact.
    if (rule == ScalingRule::to_one
        && std::any_of(pivots.begin(), pivots.end(), [&](double p) { return p != pivots[0]; })) {
        for (std::size_t i = 0; i < n; ++i) scale[i] = pivots[i] == 0 ? 1 : 1 / std::sqrt(pivots[i]);
        return scale;
    }
    std::vector<int> exponent(n, 0);
    parallel_each(n, [&](std::size_t i) {
        if (pivots[i] != 0) exponent[i] = static_cast<int>(std::lround(std::log2(pivots[i])));
    });
    const int smallest = std::min(0, n == 0 ? 0 : *std::min_element(exponent.begin(), exponent.end()));
    const int largest = std::max(0, n == 0 ? 0 : *std::max_element(exponent.begin(), exponent.end()));
    // Squares of entries, and sums of them, must stay well inside 2^-126 ... 2^127.
    const bool needed = smallest < -30 || largest > 30;
    if (rule != ScalingRule::always && rule != ScalingRule::to_one && !needed) return scale;
    parallel_each(n,
                  [&](std::size_t i) { scale[i] = std::ldexp(1.0, -static_cast<int>(std::floor(exponent[i] / 2.0))); });
    return scale;
}

std::vector<double> choose_column_scaling(const CsrMatrix& A, bool to_one) {
    std::vector<double> scale, largest(static_cast<std::size_t>(A.columns), 0.0), norms = largest;
    const auto for_each = [&](const auto& visit) {
        for (std::size_t e = 0; e < A.value.size(); ++e) {
            if (A.value[e] != 0) visit(static_cast<std::size_t>(A.column[e]), std::abs(A.value[e]));
        }
    };
    for_each([&](std::size_t j, double size) { largest[j] = std::max(largest[j], size); });
    for_each([&](std::size_t j, double size) { norms[j] += (size / largest[j]) * (size / largest[j]); });
    for (std::size_t j = 0; j < norms.size(); ++j) norms[j] = largest[j] * std::sqrt(norms[j]);
    const double longest = norms.empty() ? 0 : *std::max_element(norms.begin(), norms.end());
    const double for_all = longest > 0 ? std::exp2(-std::round(std::log2(longest))) : 1;
    for (const double norm : norms) scale.push_back(to_one ? (norm > 0 ? 1 / norm : 1) : for_all);
    return scale;
}

double normal_infinity_norm(const CsrMatrix& A, std::span<const double> scale) {
    std::vector<double> column(static_cast<std::size_t>(A.columns), 0.0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        double row = 0;
        const auto each = [&](const auto& visit) {
            for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
                const auto e = static_cast<std::size_t>(k), j = static_cast<std::size_t>(A.column[e]);
                visit(j, std::abs(A.value[e] * scale[j]));
            }
        };
        each([&](std::size_t, double size) { row += size; });
        each([&](std::size_t j, double size) { column[j] += size * row; });
    }
    return column.empty() ? 0 : *std::max_element(column.begin(), column.end());
}

double infinity_norm(const CsrMatrix& A, std::span<const double> scale) {
    return parallel_max(static_cast<std::size_t>(A.rows), [&](std::size_t i) {
        double row = 0;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            row += std::abs(scale[i] * A.value[e] * scale[static_cast<std::size_t>(A.column[e])]);
        }
        return row;
    });
}

}  // namespace glsolve::inline v0_1
