/// Rows and columns that hold nothing but zeros, and what a method puts into their place.
///
/// The equation of an empty row reads 0 = b_i. It asks nothing of x, so that a method may take any other for it:
/// x_j = b_i, with an unknown j of its choice. What solves this system solves the one that was asked for, where b_i is
/// zero; where it is not, nothing does, and the residual b_i is the least.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <optional>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Ascending, from 0.
struct EmptyLines {
    std::vector<Index> rows, columns;
};

EmptyLines empty_lines(CsrView A);
bool is_empty_row(CsrView A, Index row);

/// Where a 1 is put for each empty row: in an empty column, in its own if that is empty, as long as there are some;
/// else on the diagonal.
struct Position {
    Index row, column;
};
std::vector<Position> positions_for(const EmptyLines& lines);

/// The diagonal of S A S, by which a method divides: 1 where the row of A is empty. A zero stays where another entry is
/// in the row.
double divisor(CsrView A, std::span<const double> scale, std::size_t i);
std::vector<double> divisors(CsrView A, std::span<const double> scale);
/// Is none of them zero?
bool has_divisors(CsrView A);
/// The first row with a zero on the diagonal and other numbers beside it; none where A is not square.
GLSOLVE_API std::optional<Index> row_without_divisor(CsrView A);

}  // namespace glsolve::inline v0_1
