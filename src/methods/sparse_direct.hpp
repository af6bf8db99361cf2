/// The direct method by sparse factors on the host.
#pragma once

#include <glsolve/options.hpp>
#include <memory>

#include "methods/method_table.hpp"

namespace glsolve::inline v0_1 {

/// Too many nonzeros for sparse factors to be of use?
bool is_for_inverse(CsrView A);

/// Null where the inverse on the device takes less, or is asked for. Throws InvalidInput where factors are asked for
/// that cannot be had, or that would need more memory than Options::memory.
std::unique_ptr<IterativeMethod> make_sparse_direct(const MethodInput& in);

}  // namespace glsolve::inline v0_1
