/// Systems to try things on. All random numbers come from fixed seeds: the same call gives the same matrix everywhere.
///
/// Grids are numbered along x first, then y, then z. An argument out of its range throws InvalidInput, which names it,
/// its value and the range; so does a matrix of 2^31 rows or more.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// -u_xx - u_yy on an N x N grid of unknowns, 5-point, Dirichlet: 4 on the diagonal, -1 beside it. Symmetric positive
/// definite. N from 1 to 46340.
GLSOLVE_API CsrMatrix poisson2d(Index N);

/// -u_xx - u_yy - u_zz on N x N x N unknowns, 7-point, Dirichlet. Symmetric positive definite. N from 1 to 1290.
GLSOLVE_API CsrMatrix poisson3d(Index N);

/// -u_xx - epsilon u_yy on N x N unknowns, 5-point, Dirichlet. Symmetric positive definite. epsilon from 1e-100 to
/// 1e100.
GLSOLVE_API CsrMatrix anisotropic(Index N, double epsilon);

/// How the coefficient k of `jumping_coefficients` is spread.
enum class Coefficients : std::uint8_t {
    checkerboard,  ///< 1 and `contrast` in turn, on tiles of ceil(N/8) unknowns a side
    inclusions,    ///< `contrast` on random tiles of 4 x 4 unknowns, one in four; 1 elsewhere
    cells          ///< 1 or `contrast` at each unknown, at random
};

/// -div(k grad u) on N x N unknowns, 5-point, Dirichlet. Neighbours i and j are coupled by -2 k_i k_j / (k_i + k_j),
/// the harmonic mean; outside the grid, k is as at the unknown inside. Symmetric positive definite. contrast from 1e-12
/// to 1e12: beyond, rounding may cost the definiteness. With 1 it is poisson2d.
GLSOLVE_API CsrMatrix jumping_coefficients(Index N, double contrast, Coefficients k = Coefficients::checkerboard,
                                           std::uint64_t seed = 7);

/// What convects, and how much is diffused, over the unit square.
struct Convection {
    double diffusion = 0.01;                  ///< from 1e-100 to 1e100
    double velocity_x = 1, velocity_y = 0.5;  ///< from -1e100 to 1e100
    /// Takes w = (4 x (x-1) (1-2y), -4 y (y-1) (1-2x)) in place of the velocity: closed streamlines, |w| <= 1.
    /// Source: J. Zhang, Convection-Diffusion Test Matrices, problem 2, University of Kentucky.
    bool recirculating = false;
};

/// h^2 (-diffusion (u_xx + u_yy) + w grad u) on N x N unknowns of the unit square, h = 1 / (N + 1), 5-point, Dirichlet,
/// upwind differences. Not symmetric unless w = 0; a nonsingular M-matrix, whose rows sum to zero away from the
/// boundary.
GLSOLVE_API CsrMatrix convection_diffusion(Index N, const Convection& convection = {});

/// An elastic body: node i has the unknowns 3i, 3i+1, 3i+2, its displacements along x, y and z.
struct ElasticBody {
    CsrMatrix A;
    /// Where the nodes are: x of all, then y of all, then z of all; A.rows of them altogether.
    std::vector<double> coordinates;
};

/// Linear elasticity, -div(2 mu e(u) + lambda div(u) I), of NX x NY x NZ trilinear bricks with edges of length 1, 8
/// nodes each; 2 x 2 x 2 Gauss points integrate them exactly. The face x = 0 is clamped and its nodes are left out, the
/// other faces are free: 3 NX (NY + 1) (NZ + 1) rows of up to 81 entries, in 3 x 3 blocks that are stored whole.
/// Symmetric positive definite. Young's modulus from 1e-100 to 1e100, Poisson's ratio from -0.999999 to 0.499999.
GLSOLVE_API ElasticBody elasticity(Index NX, Index NY, Index NZ, double youngs_modulus = 1, double poisson_ratio = 0.3);

/// Where the edges of `graph_laplacian` end.
enum class Degrees : std::uint8_t {
    even,       ///< anywhere alike
    power_law,  ///< at vertex j as (j + 1)^(-2/3): few rows are long, one about (degree + 1)/2 rows^(2/3)
};

/// The Laplacian D - W of a connected random graph: weights uniform in [0.5, 1.5), added up where edges fall together.
/// Vertex 0 is grounded: its diagonal entry is 1 larger. Symmetric positive definite, a nonsingular M-matrix. rows from
/// 3; about `degree` edges a vertex, from 2 to rows - 1.
GLSOLVE_API CsrMatrix graph_laplacian(Index rows, Index degree, Degrees degrees = Degrees::even,
                                      std::uint64_t seed = 7);

/// A symmetric, strictly diagonally dominant matrix with about `nonzeros` entries at random places (normal values) and
/// a positive diagonal: positive definite. nonzeros from rows to rows^2.
GLSOLVE_API CsrMatrix random_spd(Index rows, Offset nonzeros, std::uint64_t seed = 7);

/// A known answer: uniform in [0.5, 1.5]. (Never ones: they are exact in single precision and hide everything.)
GLSOLVE_API std::vector<double> known_answer(Index size, std::uint64_t seed = 7);

}  // namespace glsolve::inline v0_1
