/// Rows that threads make, each a range of them, and that become one matrix.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1 {

/// The rows of one range, one behind the other.
class RowPiece {
  public:
    RowPiece(CsrMatrix& A, Offset first) : A_(&A), row_(first) {}

    void add(Index column, double value) {
        columns_.push_back(column);
        values_.push_back(value);
    }
    void end_row() {
        A_->offsets[static_cast<std::size_t>(++row_)] = static_cast<Offset>(columns_.size()) - begin_;
        begin_ = static_cast<Offset>(columns_.size());
    }
    void copy_to(Offset place) const {
        std::copy(columns_.begin(), columns_.end(), A_->column.begin() + place);
        std::copy(values_.begin(), values_.end(), A_->value.begin() + place);
    }

  private:
    CsrMatrix* A_;
    Offset row_, begin_ = 0;
    std::vector<Index> columns_;
    std::vector<double> values_;
};

/// `make(piece, begin, end)` adds rows begin ... end - 1, their columns ascending, and ends each. On all cores.
template <class Make>
CsrMatrix rows_in_pieces(Index rows, Index columns, const Make& make) {
    constexpr Offset grain = 4096;
    CsrMatrix A;
    A.rows = rows;
    A.columns = columns;
    A.offsets.assign(static_cast<std::size_t>(rows) + 1, 0);  // lengths of rows at first
    std::vector<RowPiece> pieces(static_cast<std::size_t>(parallel_ranges(rows, grain)), RowPiece(A, 0));
    parallel_for(rows, grain, [&](int range, Offset begin, Offset end) {
        RowPiece& piece = pieces[static_cast<std::size_t>(range)] = RowPiece(A, begin);
        make(piece, static_cast<Index>(begin), static_cast<Index>(end));
    });
    std::partial_sum(A.offsets.begin(), A.offsets.end(), A.offsets.begin());
    A.column.resize(static_cast<std::size_t>(A.offsets.back()));
    A.value.resize(A.column.size());
    parallel_for(rows, grain, [&](int range, Offset begin, Offset) {
        pieces[static_cast<std::size_t>(range)].copy_to(A.offsets[static_cast<std::size_t>(begin)]);
    });
    return A;
}

}  // namespace glsolve::inline v0_1
