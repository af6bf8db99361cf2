/// Why a device stopped iterating: the first component of the status texel (the second counts the iterations).
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace glsolve::inline v0_1 {

enum class Stop : int {
    running = 0,
    target = 1,       ///< the recurrence's residual predicts that the tolerance is met
    reduced = 2,      ///< it has fallen tenfold since the last correction
    drifted = 3,      ///< it may have drifted from the true residual by a tenth of itself
    indefinite = 4,   ///< p.Ap <= 0
    not_finite = 5,   ///< a sum overflowed or is not a number
    limit = 6,        ///< the iterations are used up
    complete = 7,     ///< the Krylov space is complete: nothing is left that is orthogonal to it
    breakdown = 8,    ///< a divisor vanishes: the method must begin anew
    diverged = 9,     ///< the residual has grown far beyond what it was
    stationary = 10,  ///< A r is nothing but rounding errors: no step makes r smaller
    absent = 11       ///< of four right-hand sides: there is none, or its solve is over
};

/// A residual that may be wrong by so many times itself asks for a correction. `last`: none comes before the end, and
/// an iteration stops when there is nothing left but rounding, which is estimated with caution.
constexpr float tolerated_drift(bool last) { return last ? 10.0f : 0.1f; }
inline constexpr float any_drift = 1e30f;  ///< tolerates all there is

/// The same names for the shaders: STOP_RUNNING and so on.
inline constexpr std::array<std::pair<std::string_view, Stop>, 12> stop_names{{
    {"STOP_RUNNING", Stop::running},
    {"STOP_TARGET", Stop::target},
    {"STOP_REDUCED", Stop::reduced},
    {"STOP_DRIFTED", Stop::drifted},
    {"STOP_INDEFINITE", Stop::indefinite},
    {"STOP_NOT_FINITE", Stop::not_finite},
    {"STOP_LIMIT", Stop::limit},
    {"STOP_COMPLETE", Stop::complete},
    {"STOP_BREAKDOWN", Stop::breakdown},
    {"STOP_DIVERGED", Stop::diverged},
    {"STOP_STATIONARY", Stop::stationary},
    {"STOP_ABSENT", Stop::absent},
}};

}  // namespace glsolve::inline v0_1
