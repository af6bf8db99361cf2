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

CsrMatrix galerkin_product(const CsrMatrix& Pt, const CsrMatrix& A, const CsrMatrix& P) {
    return multiply(Pt, multiply(A, P));
}

}  // namespace glsolve::inline v0_1
