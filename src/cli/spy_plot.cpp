#include "cli/spy_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/analyze.hpp>
#include <map>

#include "cli/gnuplot.hpp"

namespace glsolve::cli {

void plot_spy(const std::filesystem::path& file, CsrView A, const std::string& title) {
    // No more cells than rows or columns, and the longer side no more than can be seen.
    constexpr double most_cells = 400;
    const double shrink = std::min(1.0, most_cells / std::max(A.rows, A.columns));
    const auto cells = [&](Index size) { return std::max(1, static_cast<int>(size * shrink)); };
    const int height = cells(A.rows), width = cells(A.columns);
    const std::vector<std::uint32_t> counts = density(A, height, width);
    // Cells may differ by a row or a column: what is shown is the share of the places that hold an entry.
    const auto lines = [](int cell, Index size, int of) {
        const auto begin = [&](int c) { return (std::int64_t{c} * size + of - 1) / of; };
        return static_cast<double>(begin(cell + 1) - begin(cell));
    };
    double most = 0;
    // A cell's centre, in rows and columns counted from 1.
    const auto centre = [](int cell, Index size, int of) { return (cell + 0.5) * size / of + 0.5; };
    std::string data = "$spy << EOD\n";
    for (int i = 0; i < height; ++i) {
        for (int j = 0; j < width; ++j) {
            const double share =
                counts[static_cast<std::size_t>(i) * static_cast<std::size_t>(width) + static_cast<std::size_t>(j)]
                / (lines(i, A.rows, height) * lines(j, A.columns, width));
            most = std::max(most, share);
            data += fmt::format("{} {} {:.4g}\n", centre(j, A.columns, width), centre(i, A.rows, height), share);
        }
        data += '\n';
    }
    // A handful of labels, at whole numbers.
    const auto ticks = [](Index size) { return std::max(1.0, std::pow(10, std::floor(std::log10(size / 2.0)))); };
    const auto spacing = [&](Index size) { return size / ticks(size) > 10 ? 5 * ticks(size) : ticks(size); };
    draw(file, 760, 760,
         data
             + fmt::format("EOD\nset title {} noenhanced\n"
                           "set xlabel 'column'\nset ylabel 'row'\nset size ratio -1\nunset key\n"
                           "set xrange [0.5:{}]\nset yrange [{}:0.5]\n"
                           "set xtics {} rotate by -45\nset ytics {}\n"
                           "set palette defined (0 'white', 0.001 '#9ecae1', 1 '#08306b')\n"
                           "set cbrange [0:{}]\nunset colorbox\n"
                           "plot $spy using 1:2:3 with image\n",
                           gnuplot_string(title), A.columns + 0.5, A.rows + 0.5, spacing(A.columns), spacing(A.rows),
                           most > 0 ? most : 1.0));
}

void plot_parts(const std::filesystem::path& file, CsrView A, const std::vector<StoredNumber>& parts,
                const std::string& title) {
    // The diagonal, what there is beside it in the order of the alphabet; zeros are grey.
    const std::array<std::string, 4> colours{"#555555", "#2b6cb0", "#dd6b20", "#2f855a"};
    std::map<std::string, std::string> data;
    for (const StoredNumber& number : parts)
        data[number.part] += fmt::format("{} {}\n", number.column + 1, number.row + 1);
    std::string blocks, plots;
    std::size_t colour = 1;
    for (const auto& [part, places] : data) {
        const std::string block = fmt::format("$part{}", blocks.size());
        const std::string& fill = part == "zeros" ? "#d9d9d9" : part == "diagonal" ? colours[0] : colours[colour++ % 4];
        blocks += fmt::format("{} << EOD\n{}EOD\n", block, places);
        plots +=
            fmt::format("{}{} using 1:2:(0.42):(0.42) with boxxyerror fill solid noborder linecolor rgb '{}' title {}",
                        plots.empty() ? "plot " : ", \\\n", block, fill, gnuplot_string(part));
    }
    draw(file, 420, 460,
         blocks
             + fmt::format(
                 "set title {} noenhanced\nset size ratio -1\nset key below horizontal\nunset xtics\nunset ytics\n"
                 "set xrange [0:{}]\nset yrange [{}:0]\n{}\n",
                 gnuplot_string(title), A.columns + 1, A.rows + 1, plots));
}

}  // namespace glsolve::cli
