#pragma once

#include <glsolve/solver.hpp>

namespace glsolve::inline v0_1 {

/// Which method suits a matrix, from what the host sees: symmetry, diagonal, size. Takes a preconditioner away
/// that the matrix cannot have.
MethodChoice choose_method(const CsrMatrix& A, Options& options);

/// The same after a short Lanczos run, for what was thought to be positive definite.
MethodChoice choose_method(const MethodChoice& before, const Spectrum& found);

}  // namespace glsolve::inline v0_1
