/// Where the eigenvalues of a symmetric matrix lie, as far as a short run of Lanczos tells.
#pragma once

namespace glsolve::inline v0_1 {

/// Of M^-1 A, with the preconditioner M of the solver that was asked.
struct Spectrum {
    double smallest = 0, largest = 0;  ///< Ritz values: the outermost eigenvalues are a little further out
    double gershgorin = 0;             ///< no eigenvalue is larger in size; holds for any matrix
    int steps = 0;                     ///< of Lanczos; fewer than asked for where the space was complete
    bool scaled = false;               ///< of S A S: single precision cannot hold the numbers of A as they are
    bool definite = false;             ///< no (p,Ap) <= 0 turned up: as far as this run tells positive definite
};

}  // namespace glsolve::inline v0_1
