#pragma once

#include <filesystem>

#include "cli/comparison.hpp"
#include "cli/solution.hpp"

namespace glsolve::cli {

/// The residual over the iterations, with the corrections and the tolerance.
void plot_convergence(const std::filesystem::path& file, const Solution& solution);

/// The same of all runs, each in a colour and a dash of its own, with the time that it took.
void plot_convergence(const std::filesystem::path& file, const Comparison& comparison);

}  // namespace glsolve::cli
