#pragma once

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// A direct solve: the inverse on the device, then corrections (see direct.cpp). `A` is the matrix as it goes to the
/// device, before scaling. `observer` may end the inversion; a solve is then cancelled from the beginning. Throws
/// InvalidInput when the inverse does not fit a texture.
std::unique_ptr<IterativeMethod> make_direct(const System& system, const CsrMatrix& A, const Observer& observer);

}  // namespace glsolve::inline v0_1
