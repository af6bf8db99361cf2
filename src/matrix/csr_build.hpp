/// How every CsrMatrix is put together: a counting sort over the rows, then order within each row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <glsolve/csr.hpp>
#include <numeric>
#include <vector>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

/// Makes space for as many entries as the offsets say, zeros at first.
inline void allocate_entries(CsrMatrix& A) {
    const auto entries = static_cast<std::size_t>(A.offsets.back());
    make_room(A.column, entries);
    make_room(A.value, entries);
    parallel_for(2, 1, [&](int, Offset begin, Offset end) {
        if (begin == 0) A.column.resize(entries);
        if (end == 2) A.value.resize(entries);
    });
}

/// Sorts every row of `A` by column and adds up entries at the same place, in the order in which they were stored.
void sort_and_merge_rows(CsrMatrix& A);

/// Of entries in any order, all of which lie within the matrix, by all cores. `mirror`: entry (i, j) stands for (j, i)
/// too, times this; 0: for itself.
CsrMatrix csr_from_arrays(Index rows, Index columns, std::vector<Index> row, std::vector<Index> column,
                          std::vector<double> value, double mirror);

/// Builds a matrix from what `enumerate` shows. `enumerate` takes a function of (row, column, value), calls it for
/// every entry, in any order, and does the same again when called a second time. The entries have to lie within the
/// matrix.
template <typename Enumerate>
CsrMatrix assemble_csr(Index rows, Index columns, const Enumerate& enumerate) {
    CsrMatrix A;
    A.rows = rows;
    A.columns = columns;
    A.offsets = filled(static_cast<std::size_t>(rows) + 1, Offset{0});
    std::vector<Offset>& offsets = A.offsets;

    enumerate([&](Index row, Index, double) { ++offsets[row + std::size_t{1}]; });
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    allocate_entries(A);
    enumerate([&](Index row, Index column, double value) {
        const Offset at = offsets[row]++;
        A.column[at] = column;
        A.value[at] = value;
    });
    // Filling has moved each offset to where the next row starts, which saves a second array of them.
    std::shift_right(offsets.begin(), offsets.end(), 1);
    offsets.front() = 0;

    sort_and_merge_rows(A);
    return A;
}

}  // namespace glsolve::inline v0_1
