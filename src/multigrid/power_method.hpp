/// The spectral radius of D^-1 A on a device.
#pragma once

#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// As spectral_radius(A) in amg/interpolation.hpp; `bound`: Gershgorin's. Waits.
double spectral_radius(const AssembledSystem& system, double bound);

}  // namespace glsolve::inline v0_1
