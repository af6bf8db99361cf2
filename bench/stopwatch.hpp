/// Times by the clock, and the middle one or the least of several.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
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

/// By the clock, and of all of the processor's cores: the second says more on a machine that others use, too.
struct LeastTimes {
    double clock = 1e300, processor = 1e300;

    template <class Work>
    void least_of(const Work& work) {
        const auto begin = Clock::now();
        const std::clock_t before = std::clock();
        work();
        processor = std::min(processor, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        clock = std::min(clock, seconds_since(begin));
    }
};

}  // namespace glsolve::bench
