/// The device that a command computes on.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/device.hpp>
#include <glsolve/options.hpp>
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
/// Does the caller leave the device to the program?
bool is_free(const DeviceOptions& options, std::string_view device);
/// Does the host solve the system before a GPU is opened?
bool is_small(CsrView A, const Options& solve);
/// The same for one system, to be solved with these options: where no backend is named, the host takes a small one.
OpenedDevice open_device_for(CsrView A, const Options& solve, DeviceOptions options, std::string_view device);

}  // namespace glsolve::cli
