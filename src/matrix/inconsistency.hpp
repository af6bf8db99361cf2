/// Systems that no x solves: a proof from vectors that A^T maps to zero.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <span>

#include "matrix/closed_regions.hpp"

namespace glsolve::inline v0_1 {

/// What no x goes below.
struct LeastResidual {
    double norm = 0;        ///< |b - A x| is at least this; 0: nothing is known
    bool is_exact = false;  ///< proved in exact arithmetic; else of a matrix that differs from A by rounding only
};

/// For any x and w,  w^T (b - A x) = w^T b - (A^T w)^T x.  Where A^T w = 0 that is  |b - A x| >= |w^T b| / |w|.
///
/// A^T w counts as zero where each of its components is as small as the rounding of its terms,
/// |A^T w|_j <= 1e-14 (|A|^T |w|)_j.  That does not depend on the units of rows and columns: it says that A, with each
/// entry changed by so little, is singular. Whether A itself is, exact arithmetic decides, as far as that can be
/// afforded: an exact proof has b outside the range of A. Bounds below `threshold` are none. A must be square.
///
/// With w = b projected to constants on the closed regions of A.
LeastResidual least_residual(CsrView A, const ClosedRegions& regions, std::span<const double> b, double threshold);
/// With w = b - A x for an x that could not be made better: where that is the part of b that no x makes, A^T w
/// vanishes. Where it does not, up to `steps` of CGLS in double precision (two products each) take off w what an x
/// makes.
LeastResidual least_residual(CsrView A, std::span<const double> b, std::span<const double> x, double threshold,
                             std::int64_t steps);

/// With w = what orthogonal factors of A leave of b: for small matrices.
LeastResidual least_residual_by_factors(CsrView A, std::span<const double> b, double threshold);

/// So many steps of CGLS in double precision, from x and from zero, as rounding in a long x hides what is left of b.
/// x becomes the best of them, or stays: |b - A x| never grows.
void approach_least_residual(CsrView A, std::span<const double> b, std::span<double> x, std::int64_t steps);

}  // namespace glsolve::inline v0_1
