/// Sparse matrices on the host, in double precision. Files are read into them, and residuals are tested with them.
#pragma once

#include <cstdint>
#include <glsolve/export.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// A row or column index, counted from 0.
using Index = std::int32_t;
/// A position among the nonzeros. There may be more nonzeros than an Index can count.
using Offset = std::int64_t;

/// One entry of a matrix.
struct Triplet {
    Index row = 0;
    Index column = 0;
    double value = 0;
};

/// Compressed sparse rows. Row i holds the entries offsets[i] ... offsets[i+1]-1 of `column` and `value`. The columns
/// of a row are strictly ascending. Explicit zeros are allowed and kept.
struct CsrMatrix {
    Index rows = 0;
    Index columns = 0;
    std::vector<Offset> offsets{0};  ///< rows + 1 elements
    std::vector<Index> column{};     ///< one for each nonzero
    std::vector<double> value{};     ///< one for each nonzero

    Offset nonzeros() const { return static_cast<Offset>(value.size()); }
};

/// Builds a matrix from entries in any order. Entries at the same position are added.
/// Throws InvalidInput for a negative size or an entry outside the matrix.
GLSOLVE_API CsrMatrix csr_from_triplets(Index rows, Index columns, std::span<const Triplet> entries);

/// Throws InvalidInput if `A` violates a rule of CsrMatrix or has a value that is not finite. The message names the
/// first violated rule.
GLSOLVE_API void check(const CsrMatrix& A);

GLSOLVE_API CsrMatrix transpose(const CsrMatrix& A);

/// y = A x in double precision. x has A.columns elements, y has A.rows elements.
GLSOLVE_API void multiply(const CsrMatrix& A, std::span<const double> x, std::span<double> y);

/// The diagonal, with min(rows, columns) elements; 0 where no entry is stored.
GLSOLVE_API std::vector<double> diagonal(const CsrMatrix& A);

/// max |a_ij - a_ji| / max |a_ij|. 0 for a symmetric matrix; infinity for a matrix that is not square.
GLSOLVE_API double asymmetry(const CsrMatrix& A);

}  // namespace glsolve::inline v0_1
