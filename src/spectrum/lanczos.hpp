#pragma once

#include <glsolve/spectrum.hpp>

#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// The Ritz values after so many steps of Lanczos for M^-1 S A S, which conjugate gradients make on their way: with
/// step lengths alpha and ratios beta their tridiagonal matrix holds 1/alpha_k + beta_k-1/alpha_k-1 and
/// sqrt(beta_k)/alpha_k (Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 6.7.3). From a random
/// vector, always the same one; in single precision, which extreme Ritz values do not mind. One read, at the end. `A`
/// is the matrix on the host, for Gershgorin's bound.
Spectrum estimate_spectrum(const System& system, CsrView A, int steps);

/// The same of what residuals have a part in: where A seems singular, from a start in its range.
Spectrum estimate_nonzero_spectrum(const System& system, CsrView A, int steps);

/// No eigenvalue of M^-1 S A S is larger in size (Gershgorin): the largest sum of sizes in a row of it. Infinite where
/// M is no diagonal, and its rows are not known.
double gershgorin(const System& system, CsrView A);

}  // namespace glsolve::inline v0_1
