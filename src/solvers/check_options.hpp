#pragma once

#include <glsolve/solver.hpp>

namespace glsolve::inline v0_1 {

/// What a solver can be made of; each throws InvalidInput that says what is wrong and what would be accepted.
void check_square(const CsrMatrix& A, Method method);
void check_options(const Options& options);
/// An empty row makes the matrix singular; for conjugate gradients it is found here rather than after long work.
void check_rows(const CsrMatrix& A);

}  // namespace glsolve::inline v0_1
