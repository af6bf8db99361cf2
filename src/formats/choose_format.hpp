/// Which format a matrix gets, from its structure alone.
#pragma once

#include <glsolve/solver.hpp>

namespace glsolve::inline v0_1 {

/// The format that reads the fewest texels for four rows; the reason says how many.
/// `max_diagonals`: DIA is no choice beyond.
FormatChoice choose_format(const CsrMatrix& A, FormatKind wanted, std::size_t max_diagonals);

}  // namespace glsolve::inline v0_1
