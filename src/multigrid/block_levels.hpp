/// Algebraic multigrid for symmetric matrices between points that have several unknowns each (displacements, say), set
/// up by passes: strong blocks, aggregates of points, smoothed interpolation of near-null vectors, P^T A P block by
/// block. The levels are those of Hierarchy (amg/hierarchy.hpp), in the device's precision.
///
/// Source:  P. Vanek, J. Mandel and M. Brezina, Computing 56 (1996), section 5 (near-null spaces).
/// Cost:    the host makes an orthonormal basis of the near-null space on each aggregate, in double precision. For that
///          the aggregates come back, and the basis goes to the device. The coarsest matrix comes back.
#pragma once

#include <optional>
#include <string>

#include "multigrid/device_levels.hpp"

namespace glsolve::inline v0_1 {

/// As make_sparse_levels (sparse_levels.hpp). None also where the near-null vectors depend on one another on some
/// aggregate: it then has fewer unknowns than others.
std::optional<DeviceLevels> make_block_levels(const AssembledSystem& system, CsrView A, const AmgOptions& options,
                                              Index coarsest, std::string& why);

}  // namespace glsolve::inline v0_1
