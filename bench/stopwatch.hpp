/// Times by the clock, and the middle one of several.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace glsolve::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Of at least one value.
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace glsolve::bench
