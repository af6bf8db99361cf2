/// The rows of a matrix in an order that brings large entries to the diagonal, and scaled so that none is larger.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <limits>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Row i is multiplied by row_scale[i], column j by column_scale[j].
struct Matching {
    std::vector<Index> row_of_column;  ///< the row whose entry in column j comes to the diagonal; -1: none can
    std::vector<double> row_scale, column_scale;
    std::vector<Index> unmatched_rows, unmatched_columns;  ///< ascending; empty unless A is structurally singular

    /// The structural rank: no choice of numbers gives A a larger one.
    Index rank() const { return static_cast<Index>(row_of_column.size() - unmatched_columns.size()); }
};

enum class ScaleFactors : std::uint8_t { any, powers_of_two };

/// Maximum-product matching with scaling (I. S. Duff and J. Koster, SIAM J. Matrix Anal. Appl. 22, 2001: MC64, job 5):
/// the product of the diagonal's magnitudes is as large as an order of the rows can make it, and no entry of Dr A Dc is
/// larger than 1 but for rounding, the matched ones being 1 or -1. By powers of two, which round nothing, no entry is
/// larger than 2, and the matched ones are from 1/2 to 2.
/// Explicit zeros count as no entry. Where A is structurally singular, as many rows are matched as can be, and each row
/// and column that is not empty has a largest entry of 1. Factors stay between 2^-1000 and 2^1000: where numbers of A
/// lie so far apart that larger ones were needed, entries may be larger than 1.
/// A must be as `check` wants it. Throws InvalidInput where it is not square.
Matching maximum_product_matching(CsrView A, ScaleFactors factors = ScaleFactors::any);

/// For a symmetric A and a matching with factors of any kind: s with s_i = sqrt(r_i c_i), rounded to powers of two
/// where asked for. S A S is symmetric, and no entry is larger than 1 (or 2, where rounded); those matched are 1 or -1
/// (I. S. Duff and S. Pralet, SIAM J. Matrix Anal. Appl. 27, 2005). No row moves.
std::vector<double> symmetric_scaling(const Matching& matching, ScaleFactors factors = ScaleFactors::any);

/// P: entry k names the row that comes to place k. Unmatched rows fill the places of unmatched columns.
std::vector<Index> matched_order(const Matching& matching);

/// B = P Dr A Dc. A x = b becomes B y = P Dr b, x = Dc y.
CsrMatrix matched_matrix(CsrView A, const Matching& matching);
std::vector<double> matched_right_side(std::span<const double> b, const Matching& matching);  ///< P Dr b
std::vector<double> unmatched_solution(std::span<const double> y, const Matching& matching);  ///< Dc y

/// Rows whose diagonal entry is no pivot: what a matching is for.
struct WeakDiagonal {
    Index zeros = 0;   ///< missing, or an explicit zero
    Index tiny = 0;    ///< smaller than `tiny` times the largest entry of its row, and than that of its column
    Index first = -1;  ///< the first row with one of both; -1: none
};
/// An entry that is large in its row or in its column is a pivot: factors for rows alone, or for columns alone, make
/// none tiny. A must be square.
WeakDiagonal weak_diagonal(CsrView A, double tiny = 1e-8);

// The assignment problem of a sparse matrix: each row takes an entry, each in a column of its own, so that the sum of
// their costs is the least. By shortest augmenting paths (I. S. Duff and J. Koster, SIAM J. Matrix Anal. Appl. 22,
// 2001, section 3; R. Jonker and A. Volgenant, Computing 38, 1987).

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
Assignment assign(CsrView A, std::span<const double> cost);

}  // namespace glsolve::inline v0_1
