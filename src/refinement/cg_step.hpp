#pragma once

#include "device/reductions.hpp"
#include "device/vectors.hpp"
#include "refinement/iteration_loop.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// The middle of an iteration of conjugate gradients: y <- y + alpha p,  r <- r - alpha q,  z <- M^-1 r where M is a
/// diagonal (else z is not touched, and r stands for it),  partial <- ((r,z), (r,r), (y,y), 0). Guarded by `status`.
void cg_update(const System& system, Vector& y, Vector& r, Vector& z, PartialSums& partial, const Vector& p,
               const Vector& q, ScalarArg alpha, StorageId status);

/// What is still to do then, where M takes passes of its own:  z <- M^-1 r,  beta <- (r,z) / rho,  rho <- (r,z). `rz`
/// is work space. But for z guarded by `status`.
void cg_precondition(const System& system, Vector& z, const Vector& r, Reductions& reductions, Scalar& rz, Scalar& rho,
                     Scalar& beta, StorageId status);

/// Whether the direction is worth keeping through the correction of a run that ended like this: where the recurrence
/// has drifted no farther, and the direction was not what it ended for.
bool direction_survives(const StatusLook& look, double drift);

}  // namespace glsolve::inline v0_1
