/// Interpolation on grids, from the centres of blocks to what lies between them: linear where coefficients are
/// constant, and where they jump bent as the solution is, so that fluxes agree.
///
/// Source:  R. E. Alcouffe, A. Brandt, J. E. Dendy and J. W. Painter, SIAM J. Sci. Stat. Comput. 2 (1981); J. E. Dendy,
///          J. Comput. Phys. 48 (1982) (black box multigrid); J. E. Dendy and J. D. Moulton, Numer. Linear Algebra
///          Appl. 17 (2010) (coarsening by a factor of three).
#pragma once

#include "amg/lattice.hpp"

namespace glsolve::inline v0_1 {

/// P from `blocks`, as `blocks` (aggregation.hpp) makes them of the lattice `points`, which A fits; A should be
/// symmetric.
///
/// Gaps between centres are eliminated: first those on the lines through centres, then those on the planes through such
/// lines, then those in space. In each gap  A P = 0;  what A couples across a line, or a plane, is taken to be constant
/// there and goes to the diagonal. So do couplings along axes that are not coarsened. Where rows of A sum to zero, rows
/// of P sum to one. A gap that A does not determine is interpolated as aggregates are: by 1 from its own block.
CsrMatrix block_interpolation(const CsrMatrix& A, const Lattice& points, const Lattice& blocks);

}  // namespace glsolve::inline v0_1
