#pragma once

#include <memory>

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// BiCGStab with corrections. See bicgstab.cpp.
std::unique_ptr<IterativeMethod> make_bicgstab(const System& system, std::int64_t max_iterations);

/// BiCGStab to the first correction, then the Chebyshev iteration, for symmetric positive definite matrices. `A`: the
/// matrix on the host.
std::unique_ptr<IterativeMethod> make_bicgstab_chebyshev(const AssembledSystem& system, const CsrMatrix& A,
                                                         const Options& options, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
