/// Incomplete factors on the device: by levels of rows, by sweeps, or by sparse approximate inverses of the factors.
#pragma once

#include "factors/factors.hpp"
#include "preconditioners/factor_order.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {

/// M^-1 = G (I + U)^-1 D^-1 (I + L)^-1 F  for the factors of `ordered.C`, applied as options.apply says. Automatic:
/// what is expected to take least time, by the measured time of one application and by how far it is from the exact
/// one. The remark says which, and why.
MadePreconditioner apply_factors(const PreconditionerInput& input, const OrderedMatrix& ordered, const Factors& factors,
                                 FactorApplication wanted);

}  // namespace glsolve::inline v0_1
