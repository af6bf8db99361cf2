/// Coarse matrices that are singular but for rounding.
#pragma once

#include <glsolve/csr.hpp>

namespace glsolve::inline v0_1 {

/// Where all row sums of a region of the symmetric matrix A are rounding errors they become zero: the inverse of what
/// is singular but for them would be one of rounding errors. `unit`: of the precision that A was made in.
void settle_row_sums(CsrMatrix& A, double unit);

}  // namespace glsolve::inline v0_1
