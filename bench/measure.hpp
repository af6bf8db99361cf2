/// Timing of work on a device, in the frame of Google Benchmark.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "device_clock.hpp"

namespace glsolve::bench {

using Clock = DeviceClock;

/// What is measured: one run of the work moves `bytes` through memory: every texel that must be read or written, once.
struct Case {
    std::string name;
    double bytes = 0;
    std::function<Work()> prepare;  ///< called when the case's turn comes; what the work holds goes when it is done
};

/// Registers a benchmark that shows bytes a second, and their share of `copy_rate()` bytes a second.
void add(const Case& c, const Clock& clock, const std::function<double()>& copy_rate = {});

}  // namespace glsolve::bench
