/// What is known of algebraic multigrid before it is set up.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/multigrid.hpp>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// Does the device make the levels of this symmetric matrix of a grid, with these options?
bool makes_levels_on_device(CsrView A, const AmgOptions& options, const Capabilities& device);
/// The same of any symmetric matrix with so many rows and a positive diagonal.
bool makes_any_levels_on_device(Index rows, const AmgOptions& options, const Capabilities& device);

}  // namespace glsolve::inline v0_1
