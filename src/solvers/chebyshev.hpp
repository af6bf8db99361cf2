#pragma once

#include <memory>

#include "solvers/method_table.hpp"
#include "solvers/plain_iteration.hpp"

namespace glsolve::inline v0_1 {

/// Allocates and, where bounds of the spectrum are not given, estimates them.
std::unique_ptr<PlainIteration> make_chebyshev(const MethodInput& input);

}  // namespace glsolve::inline v0_1
