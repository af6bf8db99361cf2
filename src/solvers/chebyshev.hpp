#pragma once

#include <memory>

#include "solvers/plain_iteration.hpp"

namespace glsolve::inline v0_1 {

/// Allocates and, where bounds of the spectrum are not given, estimates them. `A`: the matrix on the host.
std::unique_ptr<PlainIteration> make_chebyshev(const AssembledSystem& system, const CsrMatrix& A,
                                               const Options& options, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
