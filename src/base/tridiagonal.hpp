/// Eigenvalues of symmetric tridiagonal matrices, which Lanczos' method makes.
#pragma once

#include <glsolve/export.hpp>
#include <span>
#include <utility>

namespace glsolve::inline v0_1 {

/// The outermost eigenvalues of the symmetric tridiagonal matrix, by bisection; `beside` has one element less than
/// `diagonal`, which must not be empty.
GLSOLVE_API std::pair<double, double> extreme_eigenvalues(std::span<const double> diagonal,
                                                          std::span<const double> beside);

}  // namespace glsolve::inline v0_1
