#include "core/inconsistency.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/compensated_sum.hpp"
#include "core/csr_entries.hpp"
#include "core/norm.hpp"
#include "core/rounding.hpp"

namespace glsolve::inline v0_1 {
namespace {

double norm(std::span<const double> v) {
    return norm_of(v.size(), [&](std::size_t i) { return v[i]; });
}

/// What w proves.
double bound_by(const CsrMatrix& A, std::span<const double> w, std::span<const double> b, double threshold) {
    const double length = norm(w);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    // In twice the precision, so that rounding proves nothing.
    CompensatedSum product;
    std::vector<CompensatedSum> v(static_cast<std::size_t>(A.columns));
    std::vector<double> unit(w.begin(), w.end());
    for (double& w_i : unit) w_i /= length;
    for (std::size_t i = 0; i < b.size(); ++i) product.add_product(unit[i], b[i]);
    each_entry(A, [&](std::size_t i, std::size_t j, double a) { v[j].add_product(a, unit[i]); });
    const double norm_v = norm_of(v.size(), [&](std::size_t j) { return v[j].high(); });
    constexpr double largest_condition = 0x1p26;  // |A| |x| / |b| of answers that are looked at in any case
    const double longest = std::max(threshold / unit_roundoff, largest_condition * norm(b)) / norm(A.value);
    return std::max(0.0, (std::abs(product.high()) - norm_v * longest) / norm(unit));
}

}  // namespace

double least_residual(const CsrMatrix& A, const ClosedRegions& regions, std::span<const double> b, double threshold) {
    if (!(threshold > 0) || !regions.any()) return 0;
    return bound_by(A, regions.project(b), b, threshold);
}

double least_residual(const CsrMatrix& A, std::span<const double> b, std::span<const double> x, double threshold) {
    if (!(threshold > 0) || A.value.empty()) return 0;
    std::vector<double> residual(b.size());
    multiply(A, x, residual);
    for (std::size_t i = 0; i < b.size(); ++i) residual[i] = b[i] - residual[i];
    return bound_by(A, residual, b, threshold);
}

}  // namespace glsolve::inline v0_1
