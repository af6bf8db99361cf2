/// Timing of work on a device, in the frame of Google Benchmark.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "device/backend.hpp"

namespace glsolve::bench {

using Work = std::function<void()>;

/// What is measured: one run of the work moves `bytes` through memory: every texel that must be read or written, once.
struct Case {
    std::string name;
    double bytes = 0;
    std::function<Work()> prepare;  ///< called when the case's turn comes; what the work holds goes when it is done
};

/// How a device is timed: by the wall clock and a wait at the end of a batch. Draws of OpenGL are flushed one by one:
/// software renderers drop those that later ones cover.
struct Clock {
    Backend* backend = nullptr;       ///< of glsolve, or none
    std::function<void()> wait = {};  ///< until all is done, where there is no backend
};

/// Seconds of one run: the median of some batches.
double seconds_of(const Clock& clock, const Work& work);

/// Registers a benchmark that shows bytes a second, and their share of `copy_rate()` bytes a second.
void add(const Case& c, const Clock& clock, const std::function<double()>& copy_rate = {});

}  // namespace glsolve::bench
