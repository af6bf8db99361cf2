#pragma once

#include <memory>

#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// Conjugate gradients for up to four right-hand sides at once, in single precision with corrections. The
/// preconditioner must be a diagonal, or one that takes fields, or none. See cg_several.cpp.
/// Can several right-hand sides of a system be solved so? Not where one would be solved in two floats.
bool takes_multi_rhs(const Options& options, const System& system);
std::unique_ptr<MultiRhsMethod> make_multi_rhs_cg(const AssembledSystem& system, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
