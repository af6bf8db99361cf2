/// Matrices that are written row by row, columns ascending: nothing has to be sorted.
#pragma once

#include <cstddef>
#include <glsolve/csr.hpp>
#include <utility>

namespace glsolve::inline v0_1 {

class RowWriter {
  public:
    /// Makes space for so many entries.
    RowWriter(Index rows, Offset nonzeros) {
        A_.rows = A_.columns = rows;
        A_.offsets.reserve(static_cast<std::size_t>(rows) + 1);
        A_.column.reserve(static_cast<std::size_t>(nonzeros));
        A_.value.reserve(static_cast<std::size_t>(nonzeros));
    }

    void add(Index column, double value) {
        A_.column.push_back(column);
        A_.value.push_back(value);
    }
    void add_if(bool there, Index column, double value) {
        if (there) add(column, value);
    }
    void end_row() { A_.offsets.push_back(A_.nonzeros()); }

    /// The matrix, after the last row.
    CsrMatrix take() { return std::move(A_); }

  private:
    CsrMatrix A_;
};

}  // namespace glsolve::inline v0_1
