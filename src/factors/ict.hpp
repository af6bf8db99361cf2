/// ICT: incomplete factors (I + L) D (I + L^T) of a symmetric matrix that keep what is large.
#pragma once

#include "factors/factors.hpp"

namespace glsolve::inline v0_1 {

/// Row i of U = L^T is what is left of row i of A right of the diagonal. An entry is dropped if it is at most
/// tau sqrt(|a_i| |a_j|), where |a_i| is the largest size in row i of A (N. Munksgaard, ACM Trans. Math. Software 6,
/// 1980, with the diagonal for that), and all but the p largest. tau is options.drop_tolerance, p follows from
/// options.fill (factors.hpp). options.modified adds what is dropped at (i, j) to the diagonal entries of i and of j.
/// Of A only the lower triangle is looked at. All pivots have one sign, as with IC. In one thread: which rows a row
/// needs is known only when it is made. Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ict(const CsrMatrix& A, const FactorOptions& options = {});

}  // namespace glsolve::inline v0_1
