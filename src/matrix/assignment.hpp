/// The assignment problem of a sparse matrix: each row takes an entry, each in a column of its own, so that the sum of
/// their costs is the least. By shortest augmenting paths (I. S. Duff and J. Koster, SIAM J. Matrix Anal. Appl. 22,
/// 2001, section 3; R. Jonker and A. Volgenant, Computing 38, 1987).
#pragma once

#include <glsolve/csr.hpp>
#include <limits>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

inline constexpr double no_entry = std::numeric_limits<double>::infinity();  ///< the cost of what none may take

/// As many rows have a column as can have one. Of all ways to give these rows these columns this one costs least, which
/// the dual variables u (of rows) and v (of columns) prove: u_i + v_j <= c_ij, and = c_ij where row i has taken column
/// j. Of such duals these are the least u >= 0. Rows and columns that remain have an entry with u_i + v_j = c_ij as
/// well, but for empty ones. All are finite.
struct Assignment {
    std::vector<Index> column_of_row, row_of_column;  ///< -1: none
    std::vector<double> u, v;                         ///< 0 for an empty row or column
};

/// `cost` has a number >= 0 for each entry of A, or `no_entry`. A may have any shape.
/// O(n (n + nonzeros) log n) at worst. After the cheap assignment few paths are needed, and most are short; the last
/// ones are found in about log n searches of all of A.
Assignment assign(const CsrMatrix& A, std::span<const double> cost);

}  // namespace glsolve::inline v0_1
