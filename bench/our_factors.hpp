/// glsolve with incomplete factors on the devices there are, timed as its peers are.
#pragma once

#include <glsolve/solver.hpp>
#include <string>
#include <vector>

#include "solve_rows.hpp"

namespace glsolve::bench {

struct NamedDevice {
    std::string name;
    Device device;
};
/// Of opengl-fragment, opengl-compute, cuda and host, in this order. What cannot be opened is printed.
std::vector<NamedDevice> open_devices(const std::vector<std::string>& names);

/// Set-up: the constructor of Solver. The remark tells the format and, where asked for, how factors are applied.
SolveRow our_row(const std::string& title, NamedDevice& on, const TestSystem& system, const Aim& aim, Options options,
                 bool remarks);

}  // namespace glsolve::bench
