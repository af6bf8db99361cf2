/// Devices by the names that benchmarks take on their command lines.
#pragma once

#include <glsolve/device.hpp>
#include <string>
#include <vector>

namespace glsolve::bench {

struct NamedDevice {
    std::string name;
    Device device;
};

/// Of opengl-fragment, opengl-compute, cuda and host. Throws InvalidInput for another name, NoDevice where there is
/// none.
Device open_device(const std::string& name);

/// In this order. What cannot be opened is left out. `lines` says of each what it is, or why it is not there.
std::vector<NamedDevice> open_devices(const std::vector<std::string>& names, std::vector<std::string>& lines);

}  // namespace glsolve::bench
