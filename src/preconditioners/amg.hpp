/// What is known of algebraic multigrid before it is set up.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/multigrid.hpp>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// Does the device make the levels of this symmetric matrix, with these options?
bool makes_levels_on_device(const CsrMatrix& A, const AmgOptions& options, const Capabilities& device);

}  // namespace glsolve::inline v0_1
