#pragma once

#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {

/// M^-1: so many sweeps of a stationary iteration, from zero.
MadePreconditioner make_sweeps(PreconditionerInput input, Method iteration);

}  // namespace glsolve::inline v0_1
