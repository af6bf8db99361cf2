#include "cli/open_device.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace glsolve::cli {

Device open_device(DeviceOptions options, std::string_view device) {
    const std::string cache = default_program_cache();
    options.device = device;
    options.program_cache = cache;
    options.warn = [](const std::string& message) { fmt::print(stderr, "{}\n", message); };
    return Device::open(options);
}

}  // namespace glsolve::cli
