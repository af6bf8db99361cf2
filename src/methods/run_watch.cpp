#include "methods/run_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace glsolve::inline v0_1 {

void RunWatch::begin(const DeviceResiduals::RunStart& start, std::int64_t iterations, std::int64_t corrections) {
    iterations_ = iterations;
    corrections_ = corrections;
    to_relative_ = start.to_relative;
    if (corrections > 0) return;
    first_ = std::max(start.relative, 1.0);
    halved_ = start.relative;
}

bool RunWatch::look(const StatusLook& seen) {
    if (verdict_) return false;
    if (seen.iterations == 0) return true;
    const double relative = seen.residual * to_relative_;
    const std::int64_t iterations = iterations_ + seen.iterations;
    if (relative <= halved_ / 2) {
        halved_ = relative;
        halved_iteration_ = iterations;
    }
    if (observer_ && !observer_({iterations, relative, corrections_})) {
        end(Outcome::cancelled, "stopped from outside");
    } else if (seen.stop != Stop::running) {
        return true;  // the device has stopped by itself
    } else if (is_divergence(relative, first_)) {
        end(Outcome::diverged, fmt::format("the residual grew to {:.1e} times the first one", relative / first_));
    } else if (const std::int64_t idle = iterations - halved_iteration_; idle > patience_) {
        end(Outcome::stagnated, fmt::format("no halving of the residual in {} iterations", idle));
    }
    return !verdict_;
}

}  // namespace glsolve::inline v0_1
