/// How long work on a device takes.
#pragma once

#include <functional>

#include "device/backend.hpp"

namespace glsolve::bench {

using Work = std::function<void()>;

/// How a device is timed: by the wall clock and a wait at the end of a batch. Draws of OpenGL are flushed one by one:
/// software renderers drop those that later ones cover.
struct DeviceClock {
    Backend* backend = nullptr;       ///< of glsolve, or none
    std::function<void()> wait = {};  ///< until all is done, where there is no backend
};

/// Seconds of one run.
struct DeviceTime {
    double seconds = 0;
    double processor = 0;  ///< the same, of all threads together
};

/// The median of some batches of about 20 ms: the wait at their end is then a small part.
DeviceTime time_of(const DeviceClock& clock, const Work& work);
inline double seconds_of(const DeviceClock& clock, const Work& work) { return time_of(clock, work).seconds; }

}  // namespace glsolve::bench
