/// Which format a matrix gets, from its structure alone.
#pragma once

#include <glsolve/solver.hpp>

namespace glsolve::inline v0_1 {

/// The format that reads the fewest texels for four rows; the reason says how many.
FormatChoice choose_format(const CsrMatrix& A, FormatKind wanted);

}  // namespace glsolve::inline v0_1
