/// Several invocations for the four rows at a texel (PassCall::team).
#pragma once

#include <algorithm>
#include <bit>

#include "device/backend.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// How many there are at work at a time on a large device: more than this many would only wait for each other.
inline constexpr double invocations_at_work = 1 << 18;

/// What a team shares: the nonzeros of the rows at one texel.
struct TeamWork {
    double slots = 0;         ///< of a texel, in the mean
    std::int64_t texels = 0;  ///< each with a team
    bool uneven = false;      ///< rows differ much: some of the teams have ended soon
    /// The slots of a texel lie side by side, so that only a team reads lines of memory.
    bool side_by_side = false;
};

/// A few long rows want large teams, of which the short ones need little: what a team should be made for.
inline double slots_to_share(double mean, double most) {
    constexpr double much_longer = 4;
    return most > much_longer * mean ? most : mean;
}

/// How many invocations should share it. Measured: docs/measurements/formats-2026-11-27.md.
inline int best_team(const TeamWork& work) {
    constexpr double most = 32, line = 8;  // a warp; as many texels of 16 bytes are a line of memory
    const double idle = (work.uneven ? 4 : 1) * invocations_at_work / static_cast<double>(work.texels);
    double wanted = std::min(work.slots, std::max(idle, work.side_by_side ? line : 1));
    // While half of the device would have nothing to do, more of them than there are slots do no harm, and the longest
    // rows are done sooner.
    wanted = std::max(wanted, idle / 2);
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(wanted, 1.0, most))));
}

/// A processor has no invocations to spare, and a fragment stage no groups of them.
inline bool has_teams(const Backend& backend) { return backend.can().groups && !backend.can().on_processor; }

/// The same on this device.
inline int team_for(const Backend& backend, const FormatInput& in, const TeamWork& work) {
    if (in.team > 0) return in.team;
    return has_teams(backend) ? best_team(work) : 1;
}

}  // namespace glsolve::inline v0_1
