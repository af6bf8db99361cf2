/// Dense matrices on the host, in double precision.
#pragma once

#include <cstddef>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// A matrix with all entries stored, column by column, as in LAPACK and Matrix Market arrays.
struct DenseMatrix {
    DenseMatrix() = default;
    /// All entries are zero.
    DenseMatrix(Index row_count, Index column_count)
        : rows(row_count),
          columns(column_count),
          values(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {}

    double& operator()(Index i, Index j) { return values[position(i, j)]; }
    double operator()(Index i, Index j) const { return values[position(i, j)]; }

    Index rows = 0;
    Index columns = 0;
    std::vector<double> values;  ///< entry (i, j) is values[i + j rows]

  private:
    std::size_t position(Index i, Index j) const {
        return static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows);
    }
};

/// The same matrix in sparse form, without its zeros. Throws InvalidInput unless `values` has rows x columns elements.
GLSOLVE_API CsrMatrix to_csr(const DenseMatrix& A);

}  // namespace glsolve::inline v0_1
