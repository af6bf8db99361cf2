/// What people see: progress, and lines of reports.
#pragma once

#include <chrono>
#include <cstdio>
#include <string_view>

namespace glsolve::cli {

/// A line of a report: what it is about, and the rest.
void print_line(std::FILE* to, std::string_view what, std::string_view text);

/// One line on a terminal that is written over, and nothing at all when standard error is piped.
class ProgressLine {
  public:
    explicit ProgressLine(bool quiet);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Shows the text, at most some times a second unless `now`.
    void show(std::string_view text, bool now = false);
    /// A line that stays, on a terminal.
    void note(std::string_view text);
    void clear();

  private:
    bool enabled_, shown_ = false;
    std::chrono::steady_clock::time_point last_;
};

}  // namespace glsolve::cli
