/// What `compare` has to tell, for the table, the JSON and the picture alike.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/place.hpp"
#include "cli/solution.hpp"

namespace glsolve::cli {

/// One way to solve the system, and what came out.
struct Run {
    Place place;    ///< asked for; solution.device is what it turned out to be
    Options asked;  ///< for; solution.options is what it turned out to be
    Solution solution;
    std::string failure;  ///< "refused", "no_device" or "failed", with a reason in the report; empty: it was run

    bool converged() const { return failure.empty() && solution.report.converged(); }
    double seconds() const { return solution.report.setup_seconds + solution.report.solve_seconds; }
    /// The outcome in one word.
    std::string_view status() const { return failure.empty() ? name(solution.report.outcome) : failure; }
    /// Method, preconditioner, format and backend.
    std::array<std::string, 4> choices() const;
    /// All four in one line.
    std::string label() const { return fmt::format("{}", fmt::join(choices(), ", ")); }
};

struct Comparison {
    Solution problem;       ///< the matrix, and the options that all runs share
    std::vector<Run> runs;  ///< those that converged first, the fastest first; those that were not run at all last
    std::size_t left = 0;   ///< combinations that an interruption has left out
};

/// The table for people, on standard output, and why the rest did not converge.
void print_text(const Comparison& comparison);

/// The same as JSON, with the report of `solve` for each run; the keys are kept stable.
std::string to_json(const Comparison& comparison);

}  // namespace glsolve::cli
