/// Pictures, drawn by the program gnuplot.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace glsolve::cli {

/// Throws Error that says how to get gnuplot when there is none. Called before long work, so that nothing is lost.
void require_gnuplot();

/// A gnuplot string, safe for any text.
std::string gnuplot_string(std::string_view text);

/// Draws what the commands say into a file, SVG or PNG by its name, `width` x `height` pixels. The file is whole or
/// absent.
void draw(const std::filesystem::path& file, int width, int height, const std::string& commands);

}  // namespace glsolve::cli
