/// Systems that no x solves: a proof from vectors that A^T maps to zero.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <span>

#include "matrix/closed_regions.hpp"

namespace glsolve::inline v0_1 {

/// A bound from below: no x has a smaller |b - A x|, whose own rounding would leave `threshold` within reach.
///
/// For any w,  |w| |b - A x| >= |w^T b| - |A^T w| |x|.  To round an x longer than  threshold / (eps |A|)  alone makes
/// residuals above the threshold, so longer ones need not be looked at; those up to  2^26 |b| / |A|  are in any case,
/// so that a matrix is near singular where this says so, however small the threshold is. 0 where nothing is proved. A
/// must be square.
///
/// With w = b projected to constants on the closed regions of A.
double least_residual(const CsrMatrix& A, const ClosedRegions& regions, std::span<const double> b, double threshold);
/// With w = b - A x for an x that could not be made better: where that is the part of b that no x makes, A^T w
/// vanishes. Where it does not, up to `steps` of CGLS in double precision (two products each) take off w what an x
/// makes.
double least_residual(const CsrMatrix& A, std::span<const double> b, std::span<const double> x, double threshold,
                      std::int64_t steps);

/// So many steps of CGLS in double precision: x becomes one with a smaller |b - A x|.
void approach_least_residual(const CsrMatrix& A, std::span<const double> b, std::span<double> x, std::int64_t steps);

}  // namespace glsolve::inline v0_1
