/// What the library asks of the entries of a matrix: single ones, the sides of the diagonal, the diagonals.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// The first row from `begin` + 1 on, or `end`, that holds other numbers than row `begin`, or holds them at other
/// distances from the diagonal.
Offset end_of_alike_rows(CsrView A, Offset begin, Offset end);

/// visit(i, j, a_ij) for all entries, row by row.
template <class Visit>
void each_entry(CsrView A, const Visit& visit) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        for (const auto [j, a] : A.row(i)) visit(i, static_cast<std::size_t>(j), a);
    }
}

/// Does A have its entries where B has them?
bool has_places_of(CsrView A, CsrView B);

/// What check(A) does: first for the arrays as they are, then for rows begin ... end - 1.
void check_shape(CsrView A);
void check_rows(CsrView A, Offset begin, Offset end);

/// a_ij; none where nothing is stored.
const double* find_entry(CsrView A, Index row, Index column);
/// The same; 0 where nothing is stored.
double entry(CsrView A, Index row, Index column);

inline constexpr double tolerated_asymmetry = 1e-10;  ///< of the largest entry: rounding where A was put together
inline bool is_symmetric(CsrView A) { return asymmetry(A) <= tolerated_asymmetry; }

/// Symmetric, and nothing on the diagonal is against positive definite.
GLSOLVE_API bool may_be_definite(CsrView A);

enum class StoredZeros : bool { ignore, count };
/// The diagonals (column - row) that hold entries, ascending. Where there are more than `most` the search ends, with
/// more than `most` of them.
std::vector<Index> offsets_of_entries(CsrView A, std::size_t most, StoredZeros zeros = StoredZeros::count);

}  // namespace glsolve::inline v0_1
