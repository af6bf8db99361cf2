#include "cli/spy_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/analyze.hpp>

#include "cli/gnuplot.hpp"

namespace glsolve::cli {

void plot_spy(const std::filesystem::path& file, const CsrMatrix& A, const std::string& title) {
    constexpr int most_cells = 400;
    const int cells = std::clamp(std::max(A.rows, A.columns), 1, most_cells);
    const std::vector<std::uint32_t> counts = density(A, cells);
    const std::uint32_t most = std::max(1u, *std::max_element(counts.begin(), counts.end()));
    // A cell's centre, in rows and columns counted from 1.
    const auto centre = [&](int cell, Index size) { return (cell + 0.5) * size / cells + 0.5; };
    std::string data = "$spy << EOD\n";
    for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
            const std::uint32_t count =
                counts[static_cast<std::size_t>(i) * static_cast<std::size_t>(cells) + static_cast<std::size_t>(j)];
            data += fmt::format("{} {} {}\n", centre(j, A.columns), centre(i, A.rows), count);
        }
        data += '\n';
    }
    draw(file, 760, 760,
         data
             + fmt::format("EOD\nset title {} noenhanced\n"
                           "set xlabel 'column'\nset ylabel 'row'\nset size ratio -1\nunset key\n"
                           "set xrange [0.5:{}]\nset yrange [{}:0.5]\n"
                           "set palette defined (0 'white', 0.001 '#9ecae1', 1 '#08306b')\n"
                           "set cbrange [0:{}]\nunset colorbox\n"
                           "plot $spy using 1:2:3 with image\n",
                           gnuplot_string(title), A.columns + 0.5, A.rows + 0.5, most));
}

}  // namespace glsolve::cli
