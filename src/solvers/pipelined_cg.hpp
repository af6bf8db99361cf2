#pragma once

#include <memory>

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// Pipelined conjugate gradients for a symmetric positive definite system.
std::unique_ptr<IterativeMethod> make_pipelined_cg(const AssembledSystem& system, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
