/// What a device is asked before its arithmetic is trusted.
#pragma once

#include <string>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// Why the device is of no use: it accepts work and executes nothing, as drivers do without their hardware. Empty: it
/// executes passes. Reads back one texel.
std::string execution_fault(Backend& backend);

/// Why the device's arithmetic in two floats is not what it should be; empty: it is. Compilers of shaders may
/// reorder arithmetic, and then simplify rounding errors to zero. Reads back four small textures.
std::string error_free_fault(Backend& backend);

}  // namespace glsolve::inline v0_1
