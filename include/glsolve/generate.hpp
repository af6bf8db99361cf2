/// Test systems. All random numbers come from fixed seeds: the same call gives the same matrix on every machine.
///
/// Unknowns of grids are numbered along x first, then y, then z. An argument out of its range throws InvalidInput,
/// which names the argument, its value and the range. A matrix of 2^31 rows or more throws InvalidInput too.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// -u_xx - u_yy on an N x N grid of unknowns, 5-point, Dirichlet. Entries: 4 on the diagonal, -1 for neighbours.
/// Symmetric positive definite. N from 1 to 46340.
GLSOLVE_API CsrMatrix poisson2d(Index N);

/// -u_xx - u_yy - u_zz on N x N x N unknowns, 7-point, Dirichlet. Symmetric positive definite. N from 1 to 1290.
GLSOLVE_API CsrMatrix poisson3d(Index N);

/// -u_xx - epsilon u_yy on N x N unknowns, 5-point, Dirichlet. Symmetric positive definite. epsilon from 1e-100 to
/// 1e100.
GLSOLVE_API CsrMatrix anisotropic(Index N, double epsilon);

/// How the coefficient k of `jumping_coefficients` is distributed.
enum class Coefficients : std::uint8_t {
    checkerboard,  ///< 1 and `contrast` alternate, on square tiles of ceil(N/8) unknowns a side
    inclusions,    ///< `contrast` on random tiles of 4 x 4 unknowns, one tile in four; 1 elsewhere
    cells          ///< 1 or `contrast` at each unknown, at random
};

/// -div(k grad u) on N x N unknowns, 5-point, Dirichlet. Neighbours i and j are coupled by -2 k_i k_j / (k_i + k_j),
/// the harmonic mean. Outside the grid, k has the value of the nearest unknown inside. Symmetric positive definite.
/// contrast from 1e-12 to 1e12; outside this range, rounding could make the matrix indefinite. contrast = 1 gives
/// poisson2d.
GLSOLVE_API CsrMatrix jumping_coefficients(Index N, double contrast, Coefficients k = Coefficients::checkerboard,
                                           std::uint64_t seed = 7);

/// Velocity and diffusion on the unit square, for `convection_diffusion`.
struct Convection {
    double diffusion = 0.01;                  ///< from 1e-100 to 1e100
    double velocity_x = 1, velocity_y = 0.5;  ///< from -1e100 to 1e100
    /// Uses w = (4 x (x-1) (1-2y), -4 y (y-1) (1-2x)) instead of the velocity. Streamlines are closed, |w| <= 1.
    /// Source: J. Zhang, Convection-Diffusion Test Matrices, problem 2, University of Kentucky.
    bool recirculating = false;
};

/// h^2 (-diffusion (u_xx + u_yy) + w grad u) on N x N unknowns of the unit square, h = 1 / (N + 1), 5-point, Dirichlet,
/// upwind differences. w is the velocity. Not symmetric unless w = 0. A nonsingular M-matrix; its row sums are zero
/// away from the boundary.
GLSOLVE_API CsrMatrix convection_diffusion(Index N, const Convection& convection = {});

/// An elastic body. The unknowns 3i, 3i+1, 3i+2 are the displacements of node i along x, y and z.
struct ElasticBody {
    CsrMatrix A;
    /// Coordinates of the nodes: x of all nodes, then y of all, then z of all; A.rows numbers in total.
    std::vector<double> coordinates;
};

/// Linear elasticity, -div(2 mu e(u) + lambda div(u) I), on NX x NY x NZ trilinear bricks with 8 nodes and edges of
/// length 1. Integration by 2 x 2 x 2 Gauss points is exact. The face x = 0 is clamped, and its nodes are left out; the
/// other faces are free. The matrix has 3 NX (NY + 1) (NZ + 1) rows of up to 81 entries, in 3 x 3 blocks that are
/// stored completely, zeros included. Symmetric positive definite. Young's modulus from 1e-100 to 1e100, Poisson's
/// ratio from -0.999999 to 0.499999.
GLSOLVE_API ElasticBody elasticity(Index NX, Index NY, Index NZ, double youngs_modulus = 1, double poisson_ratio = 0.3);

/// How the edges of `graph_laplacian` are distributed over the vertices.
enum class Degrees : std::uint8_t {
    even,  ///< uniformly
    /// At vertex j with a probability proportional to (j + 1)^(-2/3). Few rows are long; the longest has about
    /// (degree + 1)/2 rows^(2/3) entries.
    power_law,
};

/// The Laplacian D - W of a connected random graph. Weights are uniform in [0.5, 1.5); the weights of coinciding edges
/// are added. Vertex 0 is grounded: its diagonal entry is larger by 1. Symmetric positive definite; a nonsingular
/// M-matrix. rows from 3. A vertex has about `degree` edges; degree from 2 to rows - 1.
GLSOLVE_API CsrMatrix graph_laplacian(Index rows, Index degree, Degrees degrees = Degrees::even,
                                      std::uint64_t seed = 7);

/// A symmetric, strictly diagonally dominant matrix with a positive diagonal, so it is positive definite. It has about
/// `nonzeros` entries at random places, with normally distributed values. nonzeros from rows to rows^2.
GLSOLVE_API CsrMatrix random_spd(Index rows, Offset nonzeros, std::uint64_t seed = 7);

/// A known solution with values uniform in [0.5, 1.5]. A vector of ones is not used: it is exact in single precision
/// and would hide rounding errors.
GLSOLVE_API std::vector<double> known_answer(Index size, std::uint64_t seed = 7);

}  // namespace glsolve::inline v0_1
