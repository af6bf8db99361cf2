#pragma once

#include <memory>

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// BiCGStab with corrections. See bicgstab.cpp.
std::unique_ptr<IterativeMethod> make_bicgstab(const System& system, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
