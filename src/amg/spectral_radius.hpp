#pragma once

#include <glsolve/csr.hpp>

namespace glsolve::inline v0_1 {

/// The spectral radius of D^-1 A, rather too large than too small: Gershgorin's bound, or where that may be far off a
/// tenth more than what some steps of the power method find.
double spectral_radius(const CsrMatrix& A);

}  // namespace glsolve::inline v0_1
