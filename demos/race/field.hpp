/// The race: runners and the clock that they share.
#pragma once

#include <string>
#include <vector>

#include "race/runner.hpp"

namespace race {

/// One of the usual six that cannot take the matrix, and why.
struct LeftOut {
    std::string runner, why;
};

class Field {
  public:
    /// `names`: as parse_choice reads them; none: six that tell the story, without those that cannot take the matrix.
    Field(glsolve::Device& device, const Problem& problem, const std::vector<std::string>& names, double tolerance,
          Clock clock);

    /// All runners back to x = 0.
    void start();
    /// The clock goes on a little, and all runners up to it: first whoever has used the least so far.
    void advance();
    /// Whether anybody is not there yet, by the clock.
    bool running() const;

    const std::vector<Runner>& runners() const { return runners_; }
    Clock clock() const { return clock_; }
    double tolerance() const { return tolerance_; }
    double now() const { return now_; }  ///< iterations, or seconds
    /// Whether this has happened by now: a slice may end later.
    bool shown(const CurvePoint& point) const;
    /// 1 for whoever met the tolerance with the least, 2 for the next, ...; 0: not there.
    int place(const Runner& runner) const;
    const std::vector<LeftOut>& left_out() const { return left_out_; }

  private:
    Clock clock_;
    double tolerance_;
    double now_ = 0;
    std::vector<Runner> runners_;
    std::vector<LeftOut> left_out_;
};

}  // namespace race
