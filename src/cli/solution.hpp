/// What `solve` has to tell, for the text, the JSON and the picture alike.
#pragma once

#include <cstdint>
#include <cstdio>
#include <glsolve/device.hpp>
#include <glsolve/report.hpp>
#include <glsolve/solver.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/phases.hpp"
#include "cli/reference.hpp"

namespace glsolve::cli {

/// The answer beside a reference answer.
struct Accuracy {
    Reference reference;
    std::vector<double> errors;  ///< componentwise, relative to the reference's largest component
    double largest = 0, median = 0;
    std::string refused;  ///< why there is no reference; empty: there is one
};

struct Solution {
    std::string file;
    std::vector<std::string> read_remarks;  ///< of all files that were read
    std::string guess;                      ///< the file to begin with; empty: x = 0
    Index rows = 0, columns = 0;
    Offset nonzeros = 0;
    FormatChoice format;
    HierarchyReport hierarchy;          ///< of multigrid; else no levels
    std::string preconditioner_remark;  ///< how it was made, where there is something to say
    std::string method_reason;          ///< why this method, where it was not asked for
    DeviceInfo device;
    Options options;
    Report report;
    double read_seconds = 0;
    std::vector<Phases::Part> phases;    ///< where the time of the program has gone
    std::uintmax_t file_bytes = 0;       ///< of the matrix
    std::int64_t read_memory_bytes = 0;  ///< by how much reading it raised the program's memory at its peak; 0: unknown
    std::optional<double> error_infinity;  ///< max |x - x*|, when b was made from a known x*
    std::optional<Accuracy> accuracy;      ///< where a picture of the errors was asked for
    bool verbose = false;                  ///< the text says all about the choice of the format
};

/// The line about the matrix.
void print_matrix(std::FILE* to, const Solution& solution);

/// Which device it is, in one line.
std::string device_text(const DeviceInfo& device);

/// The report for people.
void print_text(std::FILE* to, const Solution& solution);

/// The same for several right-hand sides of one system: a table with a line for each.
void print_text(std::FILE* to, std::span<const Solution> solutions);

/// The report as JSON; the keys are kept stable.
std::string to_json(const Solution& solution);
/// For several right-hand sides of one system: a report for each.
std::string to_json(std::span<const Solution> solutions);

}  // namespace glsolve::cli
