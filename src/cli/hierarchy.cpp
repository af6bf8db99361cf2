#include "cli/hierarchy.hpp"

#include <fmt/format.h>

#include "cli/gnuplot.hpp"
#include "cli/terminal.hpp"

namespace glsolve::cli {
namespace {

double mean_row(const LevelReport& level) {
    return static_cast<double>(level.nonzeros) / static_cast<double>(std::max(level.rows, 1));
}

/// The format, and whose it is where not the device's.
std::string where(const LevelReport& level) {
    if (!level.on_host) return level.stored;
    return level.stored.empty() ? "on the host" : fmt::format("{}, on the host", level.stored);
}

}  // namespace

void print_hierarchy(std::FILE* to, const HierarchyReport& h) {
    print_line(to, "levels",
               fmt::format("{}; grid complexity {:.3f}, operator complexity {:.3f}", h.levels.size(),
                           h.grid_complexity(), h.operator_complexity()));
    fmt::print(to, "{:>12} {:>10} {:>11} {:>8} {:>15}  {}\n", "level", "rows", "nonzeros", "a row", "interpolation",
               h.levels.size() > 1 && !h.levels[1].stored.empty() ? "stored" : "");
    for (std::size_t k = 0; k < h.levels.size(); ++k) {
        const LevelReport& level = h.levels[k];
        fmt::print(to, "{:>12} {:>10} {:>11} {:>8.1f} {:>15}  {}\n", k, level.rows, level.nonzeros, mean_row(level),
                   level.transfer_nonzeros, where(level));
    }
    if (!h.coarsest.empty()) print_line(to, "coarsest", h.coarsest);
    if (h.set_up == MultigridSetup::device) print_line(to, "made by", "passes on the device");
    if (!h.why_host.empty()) print_line(to, "made by", fmt::format("the host: {}", h.why_host));
    // Geometric multigrid has no such steps.
    if (h.strength_seconds + h.coarsening_seconds + h.interpolation_seconds + h.product_seconds == 0) return;
    print_line(to, "setup",
               fmt::format("strength {:.3f} s, coarsening {:.3f} s, interpolation {:.3f} s, products {:.3f} s"
                           "{}",
                           h.strength_seconds, h.coarsening_seconds, h.interpolation_seconds, h.product_seconds,
                           h.coarsest.empty() ? ""
                                              : fmt::format(", inverse {:.3f} s, to the device {:.3f} s",
                                                            h.coarse_seconds, h.upload_seconds)));
}

void plot_hierarchy(const std::filesystem::path& file, const HierarchyReport& h, const std::string& title) {
    std::string data = "$levels << EOD\n";
    for (std::size_t k = 0; k < h.levels.size(); ++k) {
        data += fmt::format("{} {} {} {:.1f}\n", k, h.levels[k].rows, h.levels[k].nonzeros, mean_row(h.levels[k]));
    }
    draw(file, 760, 480,
         data
             + fmt::format("EOD\nset title {} noenhanced\n"
                           "set xlabel 'level: rows, and nonzeros a row'\nset logscale y\nset format y '10^{{%T}}'\n"
                           "set style fill solid\nset boxwidth 0.38\nset grid y\nset key top right\nset yrange [1:*]\n"
                           "set xtics ()\nset for [i=1:|$levels|] xtics add (sprintf('%s: %s, %s', "
                           "word($levels[i], 1), word($levels[i], 2), word($levels[i], 4)) i - 1) rotate by -20\n"
                           "plot $levels using ($1-0.2):2 with boxes title 'rows' linecolor '#6baed6', "
                           "'' using ($1+0.2):3 with boxes title 'nonzeros' linecolor '#08306b'\n",
                           gnuplot_string(title)));
}

}  // namespace glsolve::cli
