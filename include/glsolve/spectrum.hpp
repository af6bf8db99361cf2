/// The spectrum of a symmetric matrix, estimated by a short Lanczos run.
#pragma once

#include <glsolve/export.hpp>

namespace glsolve::inline v0_1 {

/// The spectrum of M^-1 A. M is the preconditioner of the solver that made the estimate.
struct Spectrum {
    /// Extreme Ritz values, which lie between the extreme eigenvalues: the smallest eigenvalue is at most `smallest`,
    /// the largest at least `largest`. After few steps of an ill-conditioned matrix the smallest may be far below.
    double smallest = 0, largest = 0;
    double smallest_halfway = 0;  ///< the smallest Ritz value after half of the steps; above `smallest`: it still moves
    double gershgorin = 0;        ///< upper bound of |eigenvalue|; holds for any matrix
    int steps = 0;                ///< Lanczos steps; fewer than requested if the Krylov space was complete earlier
    bool scaled = false;          ///< the spectrum is that of S A S, because single precision cannot hold A unscaled
    bool definite = false;        ///< no (p,Ap) <= 0 occurred: in this run the matrix appeared positive definite
};

}  // namespace glsolve::inline v0_1
