#pragma once

#include "core/iterate.hpp"
#include "core/method.hpp"
#include "core/vectors.hpp"

namespace glsolve::inline v0_1 {

/// The middle of an iteration of conjugate gradients: y <- y + alpha p,  r <- r - alpha q,  z <- M^-1 r (without a
/// preconditioner z is not touched),  partial <- ((r,z), (r,r), (y,y), 0). Guarded by `status`.
void cg_update(const System& system, Vector& y, Vector& r, Vector& z, PartialSums& partial, const Vector& p,
               const Vector& q, ScalarArg alpha, StorageId status);

/// Of it the end, where M has passes of its own:  z <- M^-1 r,  partial <- ((r,z), (r,r), (y,y), 0)
void cg_precondition(const System& system, Vector& z, PartialSums& partial, const Vector& r, const Vector& y);

/// Whether the direction is worth keeping through the correction of a run that ended like this: where the recurrence
/// has drifted no farther, and the direction was not what it ended for.
bool direction_survives(const StatusLook& look, double drift);

}  // namespace glsolve::inline v0_1
