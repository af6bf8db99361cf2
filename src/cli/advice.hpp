/// What `auto` would do with a matrix.
#pragma once

#include <glsolve/choice.hpp>
#include <glsolve/device.hpp>
#include <string>
#include <string_view>

namespace glsolve::cli {

struct Advice {
    std::string device;   ///< where, and why there
    MethodChoice choice;  ///< what it begins with, and what else was considered
};

/// Opens a device and sets a solver up, but solves nothing.
Advice advise(CsrView A, const DeviceOptions& options, std::string_view device);

void print_advice(const Advice& advice);

}  // namespace glsolve::cli
