#pragma once

#include <memory>

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// Richardson, Jacobi, Gauss-Seidel and SOR: Options::method says which. `A`: the matrix on the host. `may_lower`: the
/// weight is a guess, which Richardson's iteration with a preconditioner of its own passes halves where it diverges.
/// Throws InvalidInput that names the row of a zero on the diagonal.
std::unique_ptr<IterativeMethod> make_stationary(const AssembledSystem& system, const CsrMatrix& A,
                                                 const Options& options, std::int64_t max_iterations,
                                                 bool may_lower = false);

}  // namespace glsolve::inline v0_1
