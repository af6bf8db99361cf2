#pragma once

#include <glsolve/device.hpp>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// The number of the entry, all of one backend, that DeviceOptions::device names; 0: none is named. Throws
/// InvalidInput, with those that there are.
int chosen_device(const std::vector<DeviceEntry>& entries, std::string_view wanted);

}  // namespace glsolve::inline v0_1
