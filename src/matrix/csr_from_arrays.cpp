// A matrix of entries in arrays, by all cores: each takes a range of rows and looks at all entries, which keeps those
// of a row in their order. To look at an entry takes a nanosecond.
#include <algorithm>
#include <utility>

#include "matrix/csr_build.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Rows that come one after the other: arrays as they are, and only their beginnings are looked for.
CsrMatrix of_sorted_rows(Index rows, Index columns, const std::vector<Index>& row, std::vector<Index> column,
                         std::vector<double> value) {
    CsrMatrix A{.rows = rows, .columns = columns};
    A.offsets = filled(static_cast<std::size_t>(rows) + 1, static_cast<Offset>(row.size()));
    // Entry e is the first of its row, and of empty rows in front of it, where the entry before is of another row.
    parallel_each(row.size(), [&](std::size_t e) {
        const Index before = e > 0 ? row[e - 1] : -1;
        for (Index i = before + 1; i <= row[e]; ++i) A.offsets[static_cast<std::size_t>(i)] = static_cast<Offset>(e);
    });
    A.column = std::move(column);
    A.value = std::move(value);
    return A;
}

}  // namespace

CsrMatrix csr_from_arrays(Index rows, Index columns, std::vector<Index> row, std::vector<Index> column,
                          std::vector<double> value, double mirror) {
    const std::size_t entries = value.size();
    const bool is_sorted = !parallel_any(entries, [&](std::size_t e) { return e > 0 && row[e] < row[e - 1]; });
    CsrMatrix A{.rows = rows, .columns = columns};
    if (is_sorted && mirror == 0) {
        A = of_sorted_rows(rows, columns, row, std::move(column), std::move(value));
        sort_and_merge_rows(A);
        return A;
    }
    A.offsets = filled(static_cast<std::size_t>(rows) + 1, Offset{0});
    // Shows a range of rows its entries, in their order.
    const auto in_rows = [&](const auto& visit) {
        // Where other work keeps the cores busy, one of them does all ranges.
        constexpr Offset most_ranges = 16;
        const Offset grain = std::max(row_grain(rows, static_cast<Offset>(entries)), rows / most_ranges + 1);
        parallel_for(rows, grain, [&](int, Offset begin, Offset end) {
            for (std::size_t e = 0; e < entries; ++e) {
                const Index i = row[e], j = column[e];
                if (i >= begin && i < end) visit(i, j, e, 1.0);
                if (mirror != 0 && i != j && j >= begin && j < end) visit(j, i, e, mirror);
            }
        });
    };
    in_rows([&](Index i, Index, std::size_t, double) { ++A.offsets[static_cast<std::size_t>(i) + 1]; });
    std::partial_sum(A.offsets.begin(), A.offsets.end(), A.offsets.begin());
    allocate_entries(A);
    in_rows([&](Index i, Index j, std::size_t e, double factor) {
        const auto at = static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i)]++);
        A.column[at] = j;
        A.value[at] = factor * value[e];
    });
    // Filling has moved each offset to where the next row starts.
    std::shift_right(A.offsets.begin(), A.offsets.end(), 1);
    A.offsets.front() = 0;
    sort_and_merge_rows(A);
    return A;
}

}  // namespace glsolve::inline v0_1
