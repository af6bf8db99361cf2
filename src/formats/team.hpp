/// Several invocations for the four rows at a texel (PassCall::team).
#pragma once

#include <algorithm>
#include <bit>

#include "device/backend.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// How many there are at work at a time on a large device: more than this many would only wait for each other.
inline constexpr double invocations_at_work = 1 << 18;

/// How many for each of so many texels, where the rows there have `slots` nonzeros. `uneven`: rows differ much; then
/// more of them, of which some have ended soon. Measured: docs/measurements/formats-2026-11-26.md.
inline int best_team(double slots, std::int64_t texels, bool uneven = false) {
    constexpr double most = 32;  // a warp
    const double idle = (uneven ? 4 : 1) * invocations_at_work / static_cast<double>(texels);
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(std::min(slots, idle), 1.0, most))));
}

/// The same on this device. A processor has no invocations to spare.
inline int team_for(const Backend& backend, const FormatInput& in, double slots, std::int64_t texels,
                    bool uneven = false) {
    if (in.team > 0) return in.team;
    return backend.can().groups && !backend.can().on_processor ? best_team(slots, texels, uneven) : 1;
}

}  // namespace glsolve::inline v0_1
