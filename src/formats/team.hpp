/// Several invocations for the four rows at a texel (PassCall::team).
#pragma once

#include <algorithm>
#include <bit>

#include "device/backend.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// How many, where these rows take `rounds` reads one behind the other. A processor has no invocations to spare.
inline int team_for(const Backend& backend, const FormatInput& in, double rounds) {
    constexpr int most = 32;
    if (in.team > 0) return in.team;
    if (!backend.can().groups || backend.can().on_processor) return 1;
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(rounds / 2, 1.0, double{most}))));
}

}  // namespace glsolve::inline v0_1
