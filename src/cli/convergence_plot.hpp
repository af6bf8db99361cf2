#pragma once

#include <filesystem>

#include "cli/solution.hpp"

namespace glsolve::cli {

/// The residual over the iterations, with the corrections and the tolerance.
void plot_convergence(const std::filesystem::path& file, const Solution& solution);

}  // namespace glsolve::cli
