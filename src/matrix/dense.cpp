#include <glsolve/dense.hpp>

#include <fmt/format.h>

#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {

CsrMatrix to_csr(const DenseMatrix& A) {
    if (A.rows < 0 || A.columns < 0
        || A.values.size() != static_cast<std::size_t>(A.rows) * static_cast<std::size_t>(A.columns)) {
        throw InvalidInput(fmt::format("a dense matrix of {} x {} with {} values", A.rows, A.columns, A.values.size()));
    }
    CsrMatrix sparse;
    sparse.rows = A.rows;
    sparse.columns = A.columns;
    sparse.offsets.reserve(static_cast<std::size_t>(A.rows) + 1);
    for (Index i = 0; i < A.rows; ++i) {
        for (Index j = 0; j < A.columns; ++j) {
            if (A(i, j) == 0) continue;
            sparse.column.push_back(j);
            sparse.value.push_back(A(i, j));
        }
        sparse.offsets.push_back(sparse.nonzeros());
    }
    return sparse;
}

}  // namespace glsolve::inline v0_1
