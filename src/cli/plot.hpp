/// Pictures, drawn by gnuplot.
#pragma once

#include <filesystem>

#include "cli/solution.hpp"

namespace glsolve::cli {

/// Throws Error that says how to get gnuplot when there is none. Called before long work, so that nothing is lost.
void require_gnuplot();

/// The residual over the iterations, with the corrections and the tolerance; SVG or PNG by the file's name. The file is
/// whole or absent.
void plot_convergence(const std::filesystem::path& file, const Solution& solution);

}  // namespace glsolve::cli
