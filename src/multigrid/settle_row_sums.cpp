#include "multigrid/settle_row_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace glsolve::inline v0_1 {
namespace {

/// The rows that entries of A lead to from row `first`, itself among them; they are marked.
std::vector<Index> region_of(CsrView A, Index first, std::vector<bool>& is_marked) {
    std::vector<Index> rows{first};
    is_marked[static_cast<std::size_t>(first)] = true;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        for (const auto [j, a] : A.row(rows[at])) {
            if (a == 0 || is_marked[static_cast<std::size_t>(j)]) continue;
            is_marked[static_cast<std::size_t>(j)] = true;
            rows.push_back(j);
        }
    }
    return rows;
}

}  // namespace

void settle_row_sums(CsrMatrix& A, double unit) {
    const double rounding = 32 * unit;  // beside the sizes of a row's entries
    const auto sum = [&](Index i) { return std::accumulate(A.row(i).values().begin(), A.row(i).values().end(), 0.0); };
    const auto is_rounding = [&](Index i) {
        double size = 0;
        for (const double a : A.row(i).values()) size += std::abs(a);
        return std::abs(sum(i)) <= rounding * size;
    };
    std::vector<bool> is_marked(static_cast<std::size_t>(A.rows), false);
    for (Index first = 0; first < A.rows; ++first) {
        if (is_marked[static_cast<std::size_t>(first)]) continue;
        const std::vector<Index> region = region_of(A, first, is_marked);
        if (!std::ranges::all_of(region, is_rounding)) continue;
        for (const Index i : region) {
            const double excess = sum(i);
            for (const auto [j, a] : A.row(i)) a -= j == i ? excess : 0;
        }
    }
}

}  // namespace glsolve::inline v0_1
