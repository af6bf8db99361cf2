#pragma once

#include <memory>

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// MINRES with corrections, for symmetric matrices. `system.M` is not used: the scaling of the system is the
/// preconditioner. See minres.cpp.
std::unique_ptr<IterativeMethod> make_minres(const System& system, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
