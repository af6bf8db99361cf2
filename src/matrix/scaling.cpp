#include "matrix/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What a row is scaled by: its diagonal entry, or its largest where that is zero or not wanted.
double pivot(CsrView A, Index i, ScalingRule rule) {
    double largest = 0;
    for (const auto [j, a] : A.row(i)) {
        const double value = std::abs(a);
        const bool diagonal = j == i && rule != ScalingRule::by_largest;
        if (diagonal && value != 0) return value;
        largest = std::max(largest, value);
    }
    return largest;
}

PivotRange range_of_pivots(CsrView A, ScalingRule rule) {
    PivotRange all;
    for (const PivotRange& each : parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
             PivotRange own;
             for (Offset i = begin; i < end; ++i) own.add(pivot(A, static_cast<Index>(i), rule));
             return own;
         })) {
        all.add(each);
    }
    return all;
}

}  // namespace

std::vector<double> choose_scaling(CsrView A, ScalingRule rule) {
    return choose_scaling(A, rule, range_of_pivots(A, rule));
}

std::vector<double> choose_scaling(CsrView A, ScalingRule rule, const PivotRange& pivots) {
    const auto n = static_cast<std::size_t>(A.rows);
    const auto [least, most, zeros] = pivots;
    if (most == 0) return filled(n, 1.0);
    if (rule == ScalingRule::alike) return filled(n, std::exp2(-std::floor(std::round(std::log2(most)) / 2)));
    // The factor falls as the pivot grows.
    const auto each = [&](const auto& factor) {
        if (!zeros && factor(least) == factor(most)) return filled(n, factor(most));
        std::vector<double> scale = filled(n, 1.0);
        parallel_rows(A, [&](std::size_t i) {
            if (const double p = pivot(A, static_cast<Index>(i), rule); p != 0) scale[i] = factor(p);
        });
        return scale;
    };
    // Where all are alike a power of two does as well, and is exact.
    if (rule == ScalingRule::to_one && (zeros || least != most)) {
        return each([](double p) { return 1 / std::sqrt(p); });
    }
    // Squares of entries, and sums of them, must stay well inside 2^-126 ... 2^127.
    const auto exponent = [](double p) { return static_cast<int>(std::lround(std::log2(p))); };
    const bool needed = exponent(least) < -30 || exponent(most) > 30;
    if (rule != ScalingRule::always && rule != ScalingRule::to_one && !needed) return filled(n, 1.0);
    return each([&](double p) { return std::ldexp(1.0, -static_cast<int>(std::floor(exponent(p) / 2.0))); });
}

std::vector<double> choose_column_scaling(CsrView A, bool to_one) {
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

double normal_infinity_norm(CsrView A, std::span<const double> scale) {
    std::vector<double> column(static_cast<std::size_t>(A.columns), 0.0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        double row = 0;
        const auto each = [&](const auto& visit) {
            for (const auto [j, a] : A.row(i)) visit(static_cast<std::size_t>(j), std::abs(a * scale[j]));
        };
        each([&](std::size_t, double size) { row += size; });
        each([&](std::size_t j, double size) { column[j] += size * row; });
    }
    return column.empty() ? 0 : *std::max_element(column.begin(), column.end());
}

double infinity_norm(CsrView A, std::span<const double> scale) {
    return parallel_max(static_cast<std::size_t>(A.rows), row_grain(A), [&](std::size_t i) {
        double row = 0;
        for (const auto [j, a] : A.row(i)) row += std::abs(scale[i] * a * scale[j]);
        return row;
    });
}

}  // namespace glsolve::inline v0_1
