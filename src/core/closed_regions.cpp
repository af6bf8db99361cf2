#include "core/closed_regions.hpp"

#include <cmath>
#include <numeric>

#include "core/compensated_sum.hpp"
#include "core/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double rounding = 1e-14;  // of a column's sum, beside the sum of sizes

/// Sets that are joined two by two; each is known by one of its members (R. E. Tarjan, J. ACM 22 (1975)).
class DisjointSets {
  public:
    explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), Index{0}); }
    std::size_t find(std::size_t i) {
        while (static_cast<std::size_t>(parent_[i]) != i) {
            parent_[i] = parent_[static_cast<std::size_t>(parent_[i])];
            i = static_cast<std::size_t>(parent_[i]);
        }
        return i;
    }
    void join(std::size_t i, std::size_t j) { parent_[find(i)] = static_cast<Index>(find(j)); }

  private:
    std::vector<Index> parent_;
};

}  // namespace

ClosedRegions::ClosedRegions(const CsrMatrix& A) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> sum(n, 0.0), size(n, 0.0);
    each_entry(A, [&](std::size_t /*i*/, std::size_t j, double a) {
        sum[j] += a;
        size[j] += std::abs(a);
    });
    const auto sums_to_zero = [&](std::size_t j) { return std::abs(sum[j]) <= rounding * size[j]; };
    std::size_t candidates = 0;
    for (std::size_t j = 0; j < n; ++j) candidates += sums_to_zero(j) ? 1 : 0;
    if (candidates == 0) return;  // the usual case of matrices that are no grids' or meshes'
    DisjointSets components(n);
    each_entry(A, [&](std::size_t i, std::size_t j, double a) {
        if (i != j && a != 0) components.join(i, j);
    });
    std::vector<char> closed(n, 1);
    for (std::size_t j = 0; j < n; ++j) {
        if (!sums_to_zero(j)) closed[components.find(j)] = 0;
    }
    std::vector<Index> number(n, -1), region_of(n, -1);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t component = components.find(i);
        if (closed[component] == 0) continue;
        if (number[component] < 0) {
            number[component] = static_cast<Index>(sizes_.size());
            sizes_.push_back(0);
        }
        region_of[i] = number[component];
        sizes_[static_cast<std::size_t>(region_of[i])] += 1;
    }
    if (any()) region_of_ = std::move(region_of);
}

std::vector<double> ClosedRegions::project(std::span<const double> b) const {
    std::vector<double> w(b.size(), 0.0);
    if (!any()) return w;
    std::vector<CompensatedSum> total(sizes_.size());
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (region_of_[i] >= 0) total[static_cast<std::size_t>(region_of_[i])].add(b[i]);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (region_of_[i] < 0) continue;
        const auto region = static_cast<std::size_t>(region_of_[i]);
        w[i] = total[region].high() / sizes_[region];
    }
    return w;
}

}  // namespace glsolve::inline v0_1
