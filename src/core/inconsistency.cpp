#include "core/inconsistency.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

/// Sets that are joined two by two; each is known by one of its members (R. E. Tarjan, J. ACM 22 (1975)).
class DisjointSets {
  public:
    explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
    std::size_t find(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t i, std::size_t j) { parent_[find(i)] = find(j); }

  private:
    std::vector<std::size_t> parent_;
};

/// b projected to constants on the connected components of A whose columns all sum to zero, but for rounding.
std::vector<double> on_closed_regions(const CsrMatrix& A, std::span<const double> b) {
    constexpr double rounding = 1e-14;
    const auto n = static_cast<std::size_t>(A.rows);
    DisjointSets regions(n);
    std::vector<double> sum(n, 0.0), size(n, 0.0);
    each_entry(A, [&](std::size_t i, std::size_t j, double a) {
        if (a != 0) regions.join(i, j);
        sum[j] += a;
        size[j] += std::abs(a);
    });
    std::vector<char> closed(n, 1);
    std::vector<double> total(n, 0.0), count(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t region = regions.find(i);
        if (std::abs(sum[i]) > rounding * size[i]) closed[region] = 0;
        total[region] += b[i];
        count[region] += 1;
    }
    std::vector<double> w(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t region = regions.find(i);
        w[i] = closed[region] != 0 ? total[region] / count[region] : 0;
    }
    return w;
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

double least_residual(const CsrMatrix& A, std::span<const double> b, std::span<const double> x, double threshold) {
    if (!(threshold > 0) || A.value.empty()) return 0;
    std::vector<double> residual(b.size());
    multiply(A, x, residual);
    for (std::size_t i = 0; i < b.size(); ++i) residual[i] = b[i] - residual[i];
    return std::max(bound_by(A, on_closed_regions(A, b), b, threshold), bound_by(A, residual, b, threshold));
}

}  // namespace glsolve::inline v0_1
