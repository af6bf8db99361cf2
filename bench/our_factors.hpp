/// glsolve with incomplete factors on the devices there are, timed as its peers are.
#pragma once

#include <glsolve/solver.hpp>
#include <string>
#include <vector>

#include "named_devices.hpp"
#include "solve_rows.hpp"

namespace glsolve::bench {

/// Set-up: the constructor of Solver. The remark tells the format and, where asked for, how factors are applied.
SolveRow our_row(const std::string& title, NamedDevice& on, const TestSystem& system, const Aim& aim, Options options,
                 bool remarks);

}  // namespace glsolve::bench
