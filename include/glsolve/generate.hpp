/// Systems to try things on. All random numbers come from fixed seeds: the same call gives the same matrix everywhere.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// -u_xx - u_yy on an N x N grid of unknowns, 5-point, Dirichlet: 4 on the diagonal, -1 beside it. Throws InvalidInput
/// unless 1 <= N and N^2 < 2^31 (N^3 for the three-dimensional one).
GLSOLVE_API CsrMatrix poisson2d(Index N);

/// -u_xx - u_yy - u_zz on N x N x N unknowns, 7-point, Dirichlet.
GLSOLVE_API CsrMatrix poisson3d(Index N);

/// -u_xx - epsilon u_yy on N x N unknowns, 5-point, Dirichlet; epsilon > 0.
GLSOLVE_API CsrMatrix anisotropic(Index N, double epsilon);

/// A symmetric, strictly diagonally dominant matrix with about `nonzeros` entries at random places (normal values) and
/// a positive diagonal. Throws InvalidInput unless rows <= nonzeros.
GLSOLVE_API CsrMatrix random_spd(Index rows, Offset nonzeros, std::uint64_t seed = 7);

/// A known answer: uniform in [0.5, 1.5]. (Never ones: they are exact in single precision and hide everything.)
GLSOLVE_API std::vector<double> known_answer(Index size, std::uint64_t seed = 7);

}  // namespace glsolve::inline v0_1
