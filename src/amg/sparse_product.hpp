/// Products of sparse matrices on the host, row by row (F. G. Gustavson, ACM Trans. Math. Softw. 4 (1978)), on all
/// cores.
#pragma once

#include <algorithm>
#include <vector>

#include "amg/row_pieces.hpp"

namespace glsolve::inline v0_1 {

/// A B, where `each_entry(i, f)` calls f(j, a_ij) for the entries of row i of A in any order. Its rows are sorted.
template <class EachEntry>
CsrMatrix multiply_rows(Index rows, const EachEntry& each_entry, const CsrMatrix& B) {
    return rows_in_pieces(rows, B.columns, [&](RowPiece& piece, Index begin, Index end) {
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
            for (const Index c : columns) piece.add(c, sum[c]);
            piece.end_row();
        }
    });
}

/// A B
CsrMatrix multiply(const CsrMatrix& A, const CsrMatrix& B);

/// P^T A P, with P^T at hand.
CsrMatrix galerkin_product(const CsrMatrix& Pt, const CsrMatrix& A, const CsrMatrix& P);

}  // namespace glsolve::inline v0_1
