#pragma once

#include <memory>

#include "methods/corrected_method.hpp"

namespace glsolve::inline v0_1 {

/// BiCGStab(2) with corrections. See bicgstab2.cpp.
std::unique_ptr<CorrectedMethod> make_bicgstab2(const System& system, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
