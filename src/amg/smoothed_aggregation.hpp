/// Prolongations from aggregates.
///
/// Source:  P. Vanek, J. Mandel and M. Brezina, Computing 56 (1996).
#pragma once

#include "amg/near_null_space.hpp"

namespace glsolve::inline v0_1 {

/// For unknowns that stand at the same point together (three displacements, say): one row and column for each point,
/// with the norms of A's blocks. `point_of` is ascending.
CsrMatrix condense(const CsrMatrix& A, std::span<const Index> point_of, Index points);

/// (I - omega D^-1 A_S) T, with D the diagonal of A_S. Where the near-null space is the constants, A_S has the strong
/// entries only: the weak ones are added to the diagonal. Else it is A.
CsrMatrix smoothed(const CsrMatrix& A, const Strength* S, const CsrMatrix& T, double omega);

}  // namespace glsolve::inline v0_1
