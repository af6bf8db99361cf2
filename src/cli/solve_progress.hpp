/// How far a solve is, in words, for the line on a terminal.
#pragma once

#include <chrono>
#include <glsolve/options.hpp>
#include <string>

namespace glsolve::cli {

/// Of one solve, which begins with the object.
class SolveProgress {
  public:
    /// Iterations, residual, and how fast both change; empty in the first second, since short solves need no words.
    std::string text(const Progress& now);

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point begin_ = Clock::now(), marked_at_ = begin_;
    Progress mark_;     // what it was about a second ago
    std::string rate_;  // since the mark before
};

}  // namespace glsolve::cli
