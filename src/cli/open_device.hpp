#pragma once

#include <glsolve/device.hpp>
#include <string_view>

namespace glsolve::cli {

/// Opens a device for the program: programs that it compiles are kept for the next time, and what is no error goes to
/// standard error. `device`: as DeviceOptions::device.
Device open_device(DeviceOptions options, std::string_view device);

}  // namespace glsolve::cli
