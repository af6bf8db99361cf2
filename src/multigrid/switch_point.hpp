/// At how many rows a hierarchy ends with a dense product, by what the device was measured to do.
#pragma once

#include <glsolve/multigrid.hpp>
#include <string>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

struct SwitchPoint {
    Index rows = 0;      ///< a level with at most so many is the coarsest
    std::string reason;  ///< in words
};

/// Ending a hierarchy at n rows costs what it takes to fetch the inverse, of single precision; going on by a level
/// costs that level's passes, which have so little to do that they take as long as any (its bytes, and those of the
/// inverse that comes then, of a third of the rows or fewer, are left out). Ending pays while
///     4 n^2 / bytes_per_second < passes pass_seconds,
/// that is up to n = sqrt(passes pass_seconds bytes_per_second / 4). No fewer than 300, whose inverse is a
/// third of a megabyte, and no more than 2,000, since the host needs time to invert. Both arguments: positive.
Index switch_point(double pass_seconds, double bytes_per_second);

/// What the options say; else by the rates of the stage in use, which are measured if they have not been, but for
/// `rows` so few that nothing depends on them.
SwitchPoint choose_switch_point(const AmgOptions& options, Backend& backend, Index rows);

}  // namespace glsolve::inline v0_1
