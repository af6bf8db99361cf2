#include "matrix/moved_matrix.hpp"

#include <numeric>
#include <utility>

#include "matrix/matching.hpp"
#include "matrix/permutation.hpp"

namespace glsolve::inline v0_1 {

MovedMatrix::MovedMatrix(CsrMatrix A)
    : C(std::move(A)),
      rows(static_cast<std::size_t>(C.rows)),
      columns(rows.size()),
      row_scale(rows.size(), 1.0),
      column_scale(rows.size(), 1.0) {
    std::iota(rows.begin(), rows.end(), 0);
    columns = rows;
}

void MovedMatrix::match(Matching matching) {
    rows = matched_order(matching);
    C = matched_matrix(C, matching);
    row_scale = std::move(matching.row_scale);
    column_scale = std::move(matching.column_scale);
}

void MovedMatrix::reorder(std::span<const Index> places) {
    C = permute(C, places);
    rows = permute(std::span<const Index>(rows), places);
    columns = permute(std::span<const Index>(columns), places);
}

}  // namespace glsolve::inline v0_1
