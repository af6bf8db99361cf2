/// The one place that knows all backends is src/open_backend.cpp; all other code only knows that there is one.
#pragma once

#include <memory>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// Throws NoDevice with the reason of each way that was tried.
std::unique_ptr<Backend> open_backend(const DeviceOptions& options);

}  // namespace glsolve::inline v0_1
