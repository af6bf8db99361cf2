#include "named_devices.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

namespace glsolve::bench {

Device open_device(const std::string& name) {
    if (name == "host") return Device::host();
    if (name == "cuda") return Device::open({.backend = BackendKind::cuda, .program_cache = default_program_cache()});
    if (name == "opengl-fragment") return Device::open({.backend = BackendKind::opengl, .stage = Stage::fragment});
    if (name == "opengl-compute") return Device::open({.backend = BackendKind::opengl, .stage = Stage::compute});
    throw InvalidInput(fmt::format("backend {}: there are opengl-fragment, opengl-compute, cuda and host", name));
}

std::vector<NamedDevice> open_devices(const std::vector<std::string>& names, std::vector<std::string>& lines) {
    std::vector<NamedDevice> devices;
    for (const std::string& each : names) {
        try {
            devices.push_back({each, open_device(each)});
            const DeviceInfo& info = devices.back().device.info();
            lines.push_back(fmt::format("{}: {}, {}", each, info.renderer, info.version));
        } catch (const NoDevice& missing) {
            lines.push_back(fmt::format("{} is left out: {}", each, missing.what()));
        }
    }
    return devices;
}

}  // namespace glsolve::bench
