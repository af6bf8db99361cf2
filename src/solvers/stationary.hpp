#pragma once

#include <memory>

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// Richardson, Jacobi, Gauss-Seidel and SOR: Options::method says which. `A`: the matrix on the host. Throws
/// InvalidInput that names the row of a zero on the diagonal.
std::unique_ptr<IterativeMethod> make_stationary(const AssembledSystem& system, const CsrMatrix& A,
                                                 const Options& options, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
