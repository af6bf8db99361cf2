#include "amg/sparse_product.hpp"

namespace glsolve::inline v0_1 {

CsrMatrix multiply(const CsrMatrix& A, const CsrMatrix& B) {
    return multiply_rows(
        A.rows,
        [&](Index i, const auto& entry) {
            for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) entry(A.column[k], A.value[k]);
        },
        B);
}

// Row i of A P is wanted once for each entry of row i of P. Where these are few it is made each time anew: that takes
// less time than to store A P, which is larger than A.
CsrMatrix galerkin_product(const CsrMatrix& Pt, const CsrMatrix& A, const CsrMatrix& P) {
    constexpr Offset few = 3;
    if (P.nonzeros() > few * P.rows) return multiply(Pt, multiply(A, P));
    return rows_in_pieces(Pt.rows, P.columns, [&](RowPiece& piece, Index begin, Index end) {
        RowSum row_of_AP(P.columns), row(P.columns);
        for (Index c = begin; c < end; ++c) {
            for (Offset k = Pt.offsets[c]; k < Pt.offsets[c + std::size_t{1}]; ++k) {
                const Index i = Pt.column[k];
                for (Offset e = A.offsets[i]; e < A.offsets[i + std::size_t{1}]; ++e) {
                    row_of_AP.add_row(A.value[e], P, A.column[e]);
                }
                row.take(Pt.value[k], row_of_AP);
            }
            row.move_to(piece);
        }
    });
}

}  // namespace glsolve::inline v0_1
