/// When something has to be over.
#pragma once

#include <chrono>
#include <limits>

namespace glsolve::inline v0_1 {

class Deadline {
  public:
    /// There is none.
    Deadline() = default;
    /// So many seconds from now on; 0: there is none.
    explicit Deadline(double seconds) {
        if (seconds > 0) seconds_ = seconds;
    }

    bool passed() const { return left() <= 0; }
    /// Seconds that are left; infinite where there is no end.
    double left() const { return seconds_ - std::chrono::duration<double>(Clock::now() - begin_).count(); }
    /// Seconds that there were.
    double seconds() const { return seconds_; }

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point begin_ = Clock::now();
    double seconds_ = std::numeric_limits<double>::infinity();
};

}  // namespace glsolve::inline v0_1
