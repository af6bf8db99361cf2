/// The one place that knows all backends is src/open_backend.cpp; all other code only knows that there is one.
#pragma once

#include <memory>
#include <vector>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// Throws NoDevice with the reason of each way that was tried.
std::unique_ptr<Backend> open_backend(const DeviceOptions& options);

/// Device::list().
std::vector<DeviceEntry> list_devices();

}  // namespace glsolve::inline v0_1
