/// Interpolation from C points, truncated.
///
/// Source:  direct: Stüben, A review of algebraic multigrid, J. Comput. Appl. Math. 128 (2001), section 4.2;
///          extended+i: H. De Sterck, R. D. Falgout, J. W. Nolting and U. M. Yang, Numer. Linear Algebra Appl. 15
///          (2008), formula (4.10).
#pragma once

#include "amg/splitting.hpp"
#include "amg/truncation.hpp"

namespace glsolve::inline v0_1 {

// Both give a matrix of rows x C points. The row of a C point is the point itself. Rows of `alone` F points are empty,
// and so are those of F points in whose reach no C point is, and where the formula divides by zero: smoothing has to do
// for them. Where a row of A sums to zero, the row of P that comes of it sums to one.

/// From the C points that each F point depends on. Wants a splitting by Ruge and Stüben or Falgout: PMIS leaves F
/// points that depend on no C point.
CsrMatrix direct_interpolation(const CsrMatrix& A, const Strength& S, const Splitting& splitting,
                               Truncation truncation);

/// Also from the C points that those F points depend on which it depends on.
CsrMatrix extended_interpolation(const CsrMatrix& A, const Strength& S, const Splitting& splitting,
                                 Truncation truncation);

}  // namespace glsolve::inline v0_1
