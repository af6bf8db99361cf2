/// Systems that no x solves: a proof from vectors that A^T maps to zero.
#pragma once

#include <glsolve/csr.hpp>
#include <span>

namespace glsolve::inline v0_1 {

/// A bound from below: no x has a smaller |b - A x|, whose own rounding would leave `threshold` within reach.
///
/// For any w,  |w| |b - A x| >= |w^T b| - |A^T w| |x|.  To round an x longer than  threshold / (eps |A|)  alone makes
/// residuals above the threshold, so longer ones need not be looked at. Tried are
///     w = b projected to constants on closed regions: connected components whose columns all sum to zero;
///     w = r, the residual of an x that cannot be made better (empty: not known): where it is the part of b that no x
///         makes, A^T r vanishes.
/// 0 where neither proves anything.
double least_residual(const CsrMatrix& A, std::span<const double> b, double threshold, std::span<const double> r);

}  // namespace glsolve::inline v0_1
