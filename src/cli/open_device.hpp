#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/device.hpp>
#include <string>
#include <string_view>

namespace glsolve::cli {

/// Opens a device for the program: programs that it compiles are kept for the next time, and what is no error goes to
/// standard error. `device`: as DeviceOptions::device.
Device open_device(DeviceOptions options, std::string_view device);

struct OpenedDevice {
    Device device;
    std::string choice;  ///< as DeviceInfo::choice
};
/// The same for one system: where no backend is named, the host takes a small one.
OpenedDevice open_device_for(const CsrMatrix& A, DeviceOptions options, std::string_view device);

}  // namespace glsolve::cli
