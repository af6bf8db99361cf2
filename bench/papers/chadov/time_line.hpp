/// When each pass of some work runs, and when the device has nothing to do.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "report/report.hpp"

namespace glsolve::bench::chebyshev {

/// Seconds since some moment.
struct TimedPass {
    std::string name;
    double begin = 0, end = 0;
};

/// The passes of `work`, one behind the other. GPUs mark the time before and behind each. Devices on the processor
/// cannot: there each pass is waited for, and timed by the clock (a Solver needs Options::profile for that), so that
/// what is between two passes is the host's work alone.
std::vector<TimedPass> timed_passes(Backend& backend, const std::function<void()>& work);

struct PassShare {
    std::uint64_t calls = 0;
    double seconds = 0, median = 0;  ///< of all calls together; of one
};
/// By the names of passes.
std::map<std::string, PassShare> shares_of(const std::vector<TimedPass>& passes);

/// Passes `first` to `last` - 1, a lane for each kind, in microseconds since the first of them.
Figure time_line(std::string title, const std::vector<TimedPass>& passes, std::size_t first, std::size_t last);

}  // namespace glsolve::bench::chebyshev
