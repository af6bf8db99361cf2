/// Progress on a terminal: one line that is written over, and nothing at all when standard error is piped.
#pragma once

#include <chrono>
#include <string_view>

namespace glsolve::cli {

class ProgressLine {
  public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Shows the text, at most some times a second unless `now`.
    void show(std::string_view text, bool now = false);
    void clear();

  private:
    bool enabled_, shown_ = false;
    std::chrono::steady_clock::time_point last_;
};

}  // namespace glsolve::cli
