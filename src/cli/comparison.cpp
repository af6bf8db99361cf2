#include "cli/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/terminal.hpp"

namespace glsolve::cli {
namespace {

using Row = std::array<std::string, 11>;

const Row head{"method",   "preconditioner", "format",  "backend",      "status", "iterations",
               "residual", "set-up s",       "solve s", "passes/iter.", "reads"};
constexpr std::size_t words = 5;  // columns of words, to the left; numbers stand to the right

Row row_of(const Run& run) {
    const Report& r = run.solution.report;
    Row row;
    std::fill(row.begin(), row.end(), std::string("-"));
    const auto choices = run.choices();
    std::copy(choices.begin(), choices.end(), row.begin());
    row[words - 1] = run.status();
    if (!run.failure.empty()) return row;
    row[words] = fmt::format("{}", r.iterations);
    row[words + 1] = fmt::format("{:.1e}", r.relative_residual);
    row[words + 2] = fmt::format("{:.3f}", r.setup_seconds);
    row[words + 3] = fmt::format("{:.3f}", r.solve_seconds);
    if (r.iterations > 0) {
        row[words + 4] = fmt::format("{:.1f}", static_cast<double>(r.passes) / static_cast<double>(r.iterations));
    }
    row[words + 5] = fmt::format("{}", r.reads);
    return row;
}

void print_table(const std::vector<Row>& rows) {
    std::array<std::size_t, head.size()> width{};
    for (const Row& row : rows) {
        for (std::size_t k = 0; k < row.size(); ++k) width[k] = std::max(width[k], row[k].size());
    }
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k) {
            line += k < words ? fmt::format("{:<{}}  ", row[k], width[k]) : fmt::format("{:>{}}  ", row[k], width[k]);
        }
        fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
}

/// Why runs did not converge, each reason once.
void print_reasons(const std::vector<Run>& runs) {
    std::vector<std::pair<std::string, std::string>> reasons;  // and the runs that ended so, a line each
    for (const Run& run : runs) {
        if (run.converged()) continue;
        const std::string reason = fmt::format("{}: {}", run.status(), run.solution.report.reason);
        auto known = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == reason; });
        if (known == reasons.end()) known = reasons.insert(known, {reason, ""});
        known->second += fmt::format("    {}\n", run.label());
    }
    if (!reasons.empty()) fmt::print("\nNot converged:\n");
    for (const auto& [reason, labels] : reasons) fmt::print("{}\n{}", reason, labels);
}

}  // namespace

std::array<std::string, 4> Run::choices() const {
    const Options& o = solution.options;
    const bool known = failure.empty();
    // What was asked for, and what that turned out to be where it was something else.
    const auto both = [&](std::string_view wanted, std::string_view got) {
        return known && wanted != got ? fmt::format("{}: {}", wanted, got) : std::string(wanted);
    };
    return {both(name(asked.method), name(o.method)), both(name(asked.preconditioner), name(o.preconditioner)),
            both(name(asked.format), name(solution.format.format)),
            both(name(place), name(Place{solution.device.backend, solution.device.stage}))};
}

void print_text(const Comparison& c) {
    print_matrix(stdout, c.problem);
    print_line(
        stdout, "tolerance",
        fmt::format(
            "{:.1e}{}", c.problem.options.tolerance,
            c.problem.options.seconds > 0 ? fmt::format("; {:g} s for each run", c.problem.options.seconds) : ""));
    std::vector<std::string> devices;
    std::vector<Row> rows{head};
    for (const Run& run : c.runs) {
        rows.push_back(row_of(run));
        if (!run.failure.empty()) continue;
        const std::string device = device_text(run.solution.device);
        if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
    }
    for (const std::string& device : devices) print_line(stdout, "device", device);
    fmt::print("\n");
    print_table(rows);
    print_reasons(c.runs);
    if (c.left > 0) fmt::print("\nInterrupted: {} more combinations were not run.\n", c.left);
}

}  // namespace glsolve::cli
