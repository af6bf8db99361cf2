/// Times of parts of a work.
#pragma once

#include <chrono>

namespace glsolve::inline v0_1 {

/// Adds the time until it ends to `seconds`.
class ScopedTimer {
  public:
    explicit ScopedTimer(double& seconds) : seconds_(seconds) {}
    ~ScopedTimer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

  private:
    double& seconds_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace glsolve::inline v0_1
