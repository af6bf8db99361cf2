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

/// How w grad u is discretised.
enum class Differences : std::uint8_t {
    upwind,  ///< (u_i - u_(i-1)) / h along the flow, of first order
    central  ///< (u_(i+1) - u_(i-1)) / (2 h), of second order; oscillates where the cell Peclet number is above 1
};

/// Velocity and diffusion on the unit square or cube, for `convection_diffusion` and `convection_diffusion3d`.
struct Convection {
    double diffusion = 0.01;                  ///< from 1e-100 to 1e100
    double velocity_x = 1, velocity_y = 0.5;  ///< from -1e100 to 1e100
    /// Uses w = (4 x (x-1) (1-2y), -4 y (y-1) (1-2x)) instead of the velocity. Streamlines are closed, |w| <= 1.
    /// Source: J. Zhang, Convection-Diffusion Test Matrices, problem 2, University of Kentucky.
    bool recirculating = false;
    Differences differences = Differences::upwind;
    /// |w| h / (2 diffusion), |w| the largest of the flow. Unless it is 0 it replaces the diffusion. 0, or from 1e-100
    /// to 1e100. Source: Elman, Silvester, Wathen, Finite Elements and Fast Iterative Solvers, 2nd edition,
    /// section 6.2.
    double cell_peclet = 0;
    double velocity_z = 0.25;  ///< of `convection_diffusion3d`
};

/// h^2 (-diffusion (u_xx + u_yy) + w grad u) on N x N unknowns of the unit square, h = 1 / (N + 1), 5-point, Dirichlet.
/// w is the velocity. Not symmetric unless w = 0. Row sums are zero away from the boundary. With upwind differences the
/// error is O(h), and the matrix is a nonsingular M-matrix; with central ones the error is O(h^2).
GLSOLVE_API CsrMatrix convection_diffusion(Index N, const Convection& convection = {});

/// The same on N x N x N unknowns of the unit cube, 7-point. The recirculating flow is
/// w = (2 x (1-x) (2y-1) z, -(2x-1) y (1-y), -(2x-1) (2y-1) z (1-z)); its divergence is 0, nothing crosses the
/// boundary, and |w| <= 1/2.
GLSOLVE_API CsrMatrix convection_diffusion3d(Index N, const Convection& convection = {});

/// Stokes flow in a closed unit square of N x N cells, -Laplace(u) + grad p = f, div u = 0, u given on the walls: the
/// saddle point [A B^T; B 0]. Velocities are on the faces between cells, pressures in the cells (staggered grid, MAC).
/// Unknowns: (N-1) N velocities along x, N (N-1) along y, then h p in the cells; h = 1/N. A = -h^2 Laplace, B = -h div;
/// the velocity behind a wall is mirrored. The pressure is known up to a constant: that of the last cell is set to 0,
/// and its column and row are left out. Symmetric indefinite, nonsingular; 3 N^2 - 2 N - 1 rows, N^2 - 1 negative
/// eigenvalues. The velocities' error is O(h^2). N from 2 to 26755.
/// Source: F. H. Harlow, J. E. Welch, Physics of Fluids 8 (1965), p. 2182.
GLSOLVE_API CsrMatrix stokes2d(Index N);

/// How the integral of a product of two fluxes is computed.
enum class MassMatrix : std::uint8_t {
    consistent,  ///< exactly
    lumped       ///< by the trapezoidal rule: diagonal
};

/// Darcy flow through N x N cells of the unit square, u / k + grad p = 0, div u = f: the saddle point [M B^T; B 0] of
/// mixed finite elements (Raviart, Thomas) of order 0. Unknowns: (N+1) N fluxes through faces along x, N (N-1) along y,
/// then the pressures of the cells. B = -div. At x = 0 and x = 1 the pressure is given, nothing flows through y = 0 and
/// y = 1. The permeability k of each cell is log-normal and independent of its neighbours; the largest is `contrast`
/// times the smallest, their product is 1. Symmetric indefinite, nonsingular; 3 N^2 rows, N^2 negative eigenvalues. The
/// errors in the faces' and the cells' middles are O(h^2) where k is smooth. With the lumped M, B M^-1 B^T is the
/// 5-point operator with harmonic means of k (finite volumes). N from 1 to 26754, contrast from 1 to 1e12. Source:
/// P.-A. Raviart, J.-M. Thomas, Lecture Notes in Mathematics 606 (1977), p. 292.
GLSOLVE_API CsrMatrix darcy2d(Index N, double contrast, MassMatrix mass = MassMatrix::consistent,
                              std::uint64_t seed = 7);

/// h^2 (-u_xx - u_yy - k^2 u) on N x N unknowns of the unit square, h = 1 / (N + 1), 5-point, Dirichlet; the wavelength
/// is 2 pi / k = points_per_wavelength h. Symmetric indefinite: as many eigenvalues are negative as the discrete
/// Laplacian has below k^2. Near such an eigenvalue it is near singular. The error is O(h^2) for a fixed k. N from 1 to
/// 46340, points_per_wavelength from 3 to 1e6.
GLSOLVE_API CsrMatrix helmholtz2d(Index N, double points_per_wavelength = 10);

/// The same on N x N points of the unit square, those on the boundary included, h = 1 / (N - 1), with the absorbing
/// boundary condition du/dn = i k u (Sommerfeld, first order); waves are exp(-i omega t). Finite volumes: the box
/// around a point of the boundary is a half or a quarter. The complex symmetric matrix is written in real numbers:
/// unknown 2i is the real part at point i, 2i+1 the imaginary part, and re + i im becomes [re -im; im re]; zeros are
/// not stored. Not symmetric; nonsingular. The error is O(h^2) for a fixed k. N from 2 to 32767. Source: A. Bayliss, C.
/// I. Goldstein, E. Turkel, Journal of Computational Physics 49 (1983), p. 443.
GLSOLVE_API CsrMatrix helmholtz2d_absorbing(Index N, double points_per_wavelength = 10);

/// The elements of a random `circuit`. Numbers of sources are shares of the number of nodes, rounded up.
struct Circuit {
    Index degree = 4;               ///< about so many resistors at a node; from 2 to the number of nodes
    double voltage_sources = 0.05;  ///< from 0 to 0.25
    /// From 0 to 0.5. Half of them, rounded down, are voltages (gain 1 to 10), the others currents (transconductance
    /// 1e-6 to 1e-3), all log-uniform. Each is controlled by the voltage between two random nodes.
    double controlled_sources = 0.1;
    std::uint64_t seed = 7;
};

/// A random circuit by modified nodal analysis, [G C; D 0]. Unknowns: the voltages of the nodes, then the currents of
/// the voltage sources, whose diagonal entries are zero and not stored. Resistors are the edges of a connected graph
/// whose degrees follow a power law (`graph_laplacian`); its vertex 0 is the ground, which has no unknown. Conductances
/// are log-uniform from 1e-6 to 1. The voltage sources form no loop. Without controlled sources the matrix is symmetric
/// indefinite, with a negative eigenvalue for each voltage source; with them it is not symmetric. Their values are
/// random numbers, so it is nonsingular with probability 1; but each amplifies what others have, and many at few
/// resistors make the condition number large: 1e7 to 1e9 for 400 nodes as they are by default, up to 1e13 with a degree
/// of 2 and a share of 0.5. nodes from 2 to 1e9. Source: C.-W. Ho, A. E. Ruehli, P. A. Brennan, IEEE Transactions on
/// Circuits and Systems 22 (1975), p. 504.
GLSOLVE_API CsrMatrix circuit(Index nodes, const Circuit& elements = {});

/// The material of a `thermal_shell`. Along the fibres the conductivity is 1.
struct Shell {
    double through_thickness = 1e-4;  ///< conductivity, from 1e-8 to 1e8
    double across_fibres = 0.1;       ///< conductivity within the shell, from 1e-8 to 1e8
    double fibre_angle = 30;  ///< degrees from the arc to the axis, from -90 to 90; the sign alternates by layers
    double thickness = 0.01;  ///< from 1e-6 to 1
};

/// Heat conduction, -div(K grad T) = f, in a thin curved shell: a quarter of a cylinder of radius 1 (in the middle of
/// the shell) and length 1, NX trilinear elements along the arc, NY along the axis and `layers` through the thickness,
/// with 2 x 2 x 2 Gauss points. K turns with the shell. T = 0 at the edge where the arc begins, whose nodes are left
/// out; the rest is insulated. Nodes are numbered along the arc first, then the axis, then the thickness from the
/// inside. The matrix has NX (NY + 1) (layers + 1) rows of up to 27 entries. Symmetric positive definite; row sums are
/// zero away from the edge. Source: T. J. R. Hughes, The Finite Element Method, chapters 2 and 3.
GLSOLVE_API CsrMatrix thermal_shell(Index NX, Index NY, Index layers, const Shell& shell = {});

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
