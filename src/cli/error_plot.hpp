#pragma once

#include <filesystem>

#include "cli/solution.hpp"

namespace glsolve::cli {

/// A histogram of the componentwise errors against a reference answer, by their decimal logarithms, with the
/// uncertainty of the reference, which there has to be.
void plot_errors(const std::filesystem::path& file, const Solution& solution, const Accuracy& accuracy);

}  // namespace glsolve::cli
