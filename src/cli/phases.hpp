/// Where the time of the program goes: one phase after the other, from the start of the process on.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <glsolve/report.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::cli {

enum class Phase : std::uint8_t { start, read, open, set_up, solve, write };

class Phases {
  public:
    /// The start is on: loading the program, and all that comes before the first other phase.
    Phases();

    /// Ends the phase that is on.
    void begin(Phase phase);

    struct Part {
        std::string_view name;
        double seconds;
    };
    /// Start, read, open, compile, set up, upload, solve, judge, write: what the report says belongs to three of these
    /// is taken from set-up and solve. They add up to the time of the process so far.
    std::vector<Part> parts(const Report& report) const;

    /// Those that have ended, for the line on a terminal: "read 0.12 s, open 0.30 s, ".
    std::string ended() const;

  private:
    using Clock = std::chrono::steady_clock;

    double of(Phase phase) const;

    std::array<double, 6> seconds_{};
    Phase on_ = Phase::start;
    Clock::time_point since_ = Clock::now();
};

/// "read 0.123 s, open 0.310 s, ...": those that took no time are left out.
std::string in_words(const std::vector<Phases::Part>& parts);

}  // namespace glsolve::cli
