#pragma once

#include <filesystem>

#include "cli/solution.hpp"

namespace glsolve::cli {

/// A histogram of the componentwise errors against a reference answer, by their decimal logarithms, with the
/// uncertainty of the reference. Needs solution.accuracy with a reference.
void plot_errors(const std::filesystem::path& file, const Solution& solution);

}  // namespace glsolve::cli
