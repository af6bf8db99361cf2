/// ILUT(p, tau): incomplete factors that keep what is large.
#pragma once

#include "factors/factors.hpp"

namespace glsolve::inline v0_1 {

/// Saad 2003, algorithm 10.6. tau is options.drop_tolerance, p follows from options.fill (factors.hpp). In row i,
/// entries are dropped whose size is at most tau times the 2-norm of row i of A, and all but the p largest on either
/// side of the diagonal. Sizes are those in the row under elimination: |l_ij d_j| left of the diagonal and |d_i u_ij|
/// right of it, both in units of that row. options.modified adds what is dropped to the diagonal, whether dropped
/// before or after its use. In one thread: which rows a row needs is known only when it is made.
/// Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ilut(const CsrMatrix& A, const FactorOptions& options = {});

}  // namespace glsolve::inline v0_1
