#include "matrix/permutation.hpp"

#include <algorithm>
#include <numeric>

namespace glsolve::inline v0_1 {

std::vector<Index> sorted_by_length(CsrView A, Index window) {
    std::vector<Index> order(static_cast<std::size_t>(A.rows));
    std::iota(order.begin(), order.end(), 0);
    const auto length = [&](Index i) { return A.row(i).size(); };
    for (std::int64_t begin = 0; begin < A.rows; begin += window) {
        const std::int64_t end = std::min<std::int64_t>(begin + window, A.rows);
        std::stable_sort(order.begin() + begin, order.begin() + end,
                         [&](Index a, Index b) { return length(a) > length(b); });
    }
    return order;
}

CsrMatrix permute(CsrView A, std::span<const Index> order) {
    std::vector<Index> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
    CsrMatrix B{.rows = A.rows, .columns = A.columns, .offsets = {0}, .column = {}, .value = {}};
    B.offsets.reserve(A.offsets.size());
    B.column.reserve(A.column.size());
    B.value.reserve(A.value.size());
    std::vector<std::pair<Index, double>> row;
    for (const Index i : order) {
        row.clear();
        for (const auto [j, a] : A.row(i)) row.emplace_back(place[static_cast<std::size_t>(j)], a);
        std::sort(row.begin(), row.end());
        for (const auto& [column, value] : row) {
            B.column.push_back(column);
            B.value.push_back(value);
        }
        B.offsets.push_back(static_cast<Offset>(B.value.size()));
    }
    return B;
}

}  // namespace glsolve::inline v0_1
