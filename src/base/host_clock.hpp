/// Adds up the time of what a solve does on the host.
#pragma once

#include <chrono>

namespace glsolve::inline v0_1 {

class HostClock {
  public:
    /// Runs as long as it lives; within another one it changes nothing.
    class Running {
      public:
        explicit Running(HostClock& clock) : clock_(clock) { ++clock_.running_; }
        ~Running() {
            if (--clock_.running_ > 0) return;
            clock_.seconds_ += std::chrono::duration<double>(Clock::now() - begin_).count();
        }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

      private:
        using Clock = std::chrono::steady_clock;

        HostClock& clock_;
        Clock::time_point begin_ = Clock::now();
    };

    double seconds() const { return seconds_; }

  private:
    double seconds_ = 0;
    int running_ = 0;
};

}  // namespace glsolve::inline v0_1
