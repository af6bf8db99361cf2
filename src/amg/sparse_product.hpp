/// Products of sparse matrices on the host, row by row (F. G. Gustavson, ACM Trans. Math. Softw. 4 (1978)), on all
/// cores.
#pragma once

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1 {

/// A B, where `each_entry(i, f)` calls f(j, a_ij) for the entries of row i of A in any order. Its rows are sorted.
template <class EachEntry>
CsrMatrix multiply_rows(Index rows, const EachEntry& each_entry, const CsrMatrix& B) {
    constexpr Index grain = 4096;
    struct Part {
        std::vector<Index> column;
        std::vector<double> value;
    };
    CsrMatrix C;
    C.rows = rows;
    C.columns = B.columns;
    C.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
    std::vector<Part> parts(static_cast<std::size_t>(parallel_ranges(rows, grain)));
    parallel_for(rows, grain, [&](int range, Index begin, Index end) {
        Part& part = parts[static_cast<std::size_t>(range)];
        std::vector<double> sum(static_cast<std::size_t>(B.columns));
        std::vector<Index> row_of_sum(static_cast<std::size_t>(B.columns), -1), columns;
        for (Index i = begin; i < end; ++i) {
            columns.clear();
            each_entry(i, [&](Index j, double a) {
                for (Offset k = B.offsets[j]; k < B.offsets[j + std::size_t{1}]; ++k) {
                    const Index c = B.column[k];
                    if (row_of_sum[c] != i) {
                        row_of_sum[c] = i;
                        sum[c] = 0;
                        columns.push_back(c);
                    }
                    sum[c] += a * B.value[k];
                }
            });
            std::sort(columns.begin(), columns.end());
            for (const Index c : columns) part.value.push_back(sum[c]);
            part.column.insert(part.column.end(), columns.begin(), columns.end());
            C.offsets[i + std::size_t{1}] = static_cast<Offset>(columns.size());
        }
    });
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) C.offsets[i + 1] += C.offsets[i];
    C.column.resize(static_cast<std::size_t>(C.offsets.back()));
    C.value.resize(C.column.size());
    parallel_for(rows, grain, [&](int range, Index begin, Index) {
        Part& part = parts[static_cast<std::size_t>(range)];
        std::copy(part.column.begin(), part.column.end(), C.column.begin() + C.offsets[begin]);
        std::copy(part.value.begin(), part.value.end(), C.value.begin() + C.offsets[begin]);
    });
    return C;
}

/// A B
CsrMatrix multiply(const CsrMatrix& A, const CsrMatrix& B);

/// P^T A P, with P^T at hand.
CsrMatrix galerkin_product(const CsrMatrix& Pt, const CsrMatrix& A, const CsrMatrix& P);

}  // namespace glsolve::inline v0_1
