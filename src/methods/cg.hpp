#pragma once

#include <memory>

#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// Preconditioned conjugate gradients with corrections. See cg.cpp.
std::unique_ptr<IterativeMethod> make_cg(const System& system, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
