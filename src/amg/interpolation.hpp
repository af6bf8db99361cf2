/// Prolongations, by whatever coarsening: from C points, from aggregates, from blocks of a lattice.
#pragma once

#include <glsolve/csr.hpp>

#include "amg/lattice.hpp"
#include "amg/near_null_space.hpp"
#include "amg/splitting.hpp"
#include "amg/truncation.hpp"

namespace glsolve::inline v0_1 {

// Interpolation from C points, truncated.
//
// Source:  direct: Stüben, A review of algebraic multigrid, J. Comput. Appl. Math. 128 (2001), section 4.2;
//          extended+i: H. De Sterck, R. D. Falgout, J. W. Nolting and U. M. Yang, Numer. Linear Algebra Appl. 15
//          (2008), formula (4.10).

// Both give a matrix of rows x C points. The row of a C point is the point itself. Rows of `alone` F points are empty,
// and so are those of F points in whose reach no C point is, and where the formula divides by zero: smoothing has to do
// for them. Where a row of A sums to zero, the row of P that comes of it sums to one.

/// From the C points that each F point depends on. Wants a splitting by Ruge and Stüben or Falgout: PMIS leaves F
/// points that depend on no C point.
CsrMatrix direct_interpolation(CsrView A, const Strength& S, const Splitting& splitting, Truncation truncation);

/// Also from the C points that those F points depend on which it depends on.
CsrMatrix extended_interpolation(CsrView A, const Strength& S, const Splitting& splitting, Truncation truncation);

// Prolongations from aggregates.
//
// Source:  P. Vanek, J. Mandel and M. Brezina, Computing 56 (1996).

/// For unknowns that stand at the same point together (three displacements, say): one row and column for each point,
/// with the norms of A's blocks. `point_of` is ascending.
CsrMatrix condense(CsrView A, std::span<const Index> point_of, Index points);

/// (I - omega D^-1 A_S) T, with D the diagonal of A_S. Where the near-null space is the constants, A_S has the strong
/// entries only: the weak ones are added to the diagonal. Else it is A.
CsrMatrix smoothed(CsrView A, const Strength* S, CsrView T, double omega);

// Interpolation on grids, from the centres of blocks to what lies between them: linear where coefficients are
// constant, and where they jump bent as the solution is, so that fluxes agree.
//
// Source:  R. E. Alcouffe, A. Brandt, J. E. Dendy and J. W. Painter, SIAM J. Sci. Stat. Comput. 2 (1981); J. E. Dendy,
//          J. Comput. Phys. 48 (1982) (black box multigrid); J. E. Dendy and J. D. Moulton, Numer. Linear Algebra
//          Appl. 17 (2010) (coarsening by a factor of three).

/// P from `blocks`, as `blocks` (aggregation.hpp) makes them of the lattice `points`, which A fits; A should be
/// symmetric.
///
/// Gaps between centres are eliminated: first those on the lines through centres, then those on the planes through such
/// lines, then those in space. In each gap  A P = 0;  what A couples across a line, or a plane, is taken to be constant
/// there and goes to the diagonal. So do couplings along axes that are not coarsened. Where rows of A sum to zero, rows
/// of P sum to one. A gap that A does not determine is interpolated as aggregates are: by 1 from its own block.
CsrMatrix block_interpolation(CsrView A, const Lattice& points, const Lattice& blocks);

/// How the spectral radius is estimated, on the host and by passes.
struct PowerMethod {
    static constexpr int steps = 12;
    static constexpr std::uint64_t seed = 7;
    static constexpr double margin = 1.1;  ///< it comes from below
};

/// The spectral radius of D^-1 A, rather too large than too small: Gershgorin's bound, or where that may be far off a
/// tenth more than what some steps of the power method find.
double spectral_radius(CsrView A);

}  // namespace glsolve::inline v0_1
