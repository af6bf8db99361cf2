#include "matrix/closed_regions.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "base/compensated_sum.hpp"
#include "base/exact_sum.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"

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

/// Of a row or a column.
struct Sum {
    double sum = 0, size = 0;

    void add(double a) { sum += a, size += std::abs(a); }
    bool is_zero() const { return std::abs(sum) <= rounding * size; }
};

std::vector<char> columns_with_a_sum(CsrView A) {
    std::vector<Sum> sums(static_cast<std::size_t>(A.columns));
    each_entry(A, [&](std::size_t /*i*/, std::size_t j, double a) { sums[j].add(a); });
    std::vector<char> found(sums.size());
    for (std::size_t j = 0; j < sums.size(); ++j) found[j] = sums[j].is_zero() ? 0 : 1;
    return found;
}

/// The same of a symmetric matrix, whose rows are its columns.
std::vector<char> rows_with_a_sum(CsrView A) {
    std::vector<char> found(static_cast<std::size_t>(A.rows));
    parallel_each(found.size(), [&](std::size_t i) {
        Sum sum;
        for (const double a : A.row(i).values()) sum.add(a);
        found[i] = sum.is_zero() ? 0 : 1;
    });
    return found;
}

/// One look at each row, by all cores, each at some that follow one another: is it held, or coupled with one that is?
/// Then so are its neighbours. Of most grids and meshes that reaches all.
void hold_neighbours(CsrView A, std::vector<char>& held) {
    parallel_for(A.rows, row_grain(A), [&](int, Offset begin, Offset end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            const auto each = [&](const auto& visit) {
                visit(std::atomic_ref(held[i]));
                for (const auto [j, a] : A.row(i)) {
                    if (a != 0) visit(std::atomic_ref(held[static_cast<std::size_t>(j)]));
                }
            };
            char any = 0;
            each([&](const std::atomic_ref<char>& h) { any |= h.load(std::memory_order_relaxed); });
            if (any != 0) each([](const std::atomic_ref<char>& h) { h.store(1, std::memory_order_relaxed); });
        }
    });
}

/// Is each row coupled, by way of others, with one that is held? Step by step from those that are, as far as rows lead:
/// of a symmetric pattern that is all there is to know. `held` learns of it.
bool are_all_held(CsrView A, std::vector<char>& held) {
    constexpr Offset rows_worth_a_thread = 4096;
    hold_neighbours(A, held);
    std::vector<Index> front;
    if (!parallel_any(held.size(), [&](std::size_t i) { return held[i] == 0; })) return true;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i] != 0) front.push_back(static_cast<Index>(i));
    }
    std::size_t count = front.size();
    while (!front.empty()) {
        const auto found = parallel_parts(std::ssize(front), rows_worth_a_thread, [&](Offset begin, Offset end) {
            std::vector<Index> next;
            for (Offset k = begin; k < end; ++k) {
                for (const auto [j, a] : A.row(front[static_cast<std::size_t>(k)])) {
                    const std::atomic_ref other(held[static_cast<std::size_t>(j)]);
                    if (a == 0 || other.load(std::memory_order_relaxed) != 0) continue;
                    if (other.exchange(1, std::memory_order_relaxed) == 0) next.push_back(j);
                }
            }
            return next;
        });
        front.clear();
        for (const std::vector<Index>& part : found) front.insert(front.end(), part.begin(), part.end());
        count += front.size();
    }
    return count == held.size();
}

}  // namespace

ClosedRegions::ClosedRegions(CsrView A, bool symmetric) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<char> held = symmetric ? rows_with_a_sum(A) : columns_with_a_sum(A);
    if (are_all_held(A, held)) return;
    DisjointSets components(n);
    each_entry(A, [&](std::size_t i, std::size_t j, double a) {
        if (i != j && a != 0) components.join(i, j);
    });
    std::vector<char> closed(n, 1);
    for (std::size_t j = 0; j < n; ++j) {
        if (held[j] != 0) closed[components.find(j)] = 0;
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
    if (!any()) return;
    region_of_ = std::move(region_of);
    std::vector<ExactSum> sums(n);
    each_entry(A, [&](std::size_t i, std::size_t j, double a) {
        if (region_of_[i] >= 0) sums[j].add(a);
    });
    are_exact_ = std::ranges::all_of(sums, [](const ExactSum& sum) { return sum.high() == 0; });
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
