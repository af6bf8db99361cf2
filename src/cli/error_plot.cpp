#include "cli/error_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "cli/gnuplot.hpp"

namespace glsolve::cli {
namespace {

constexpr double bins_a_decade = 4;

struct Histogram {
    std::map<int, std::size_t> counts;  // bin k begins at 10^(k / bins_a_decade)
    std::size_t zeros = 0;              // have no logarithm

    explicit Histogram(const std::vector<double>& errors) {
        for (const double error : errors) {
            if (error == 0) {
                ++zeros;
            } else {
                ++counts[static_cast<int>(std::floor(std::log10(error) * bins_a_decade))];
            }
        }
    }
    double first() const { return counts.begin()->first / bins_a_decade; }
    double last() const { return (counts.rbegin()->first + 1) / bins_a_decade; }
};

std::string script(const Solution& s, const Accuracy& a) {
    constexpr double lowest = 0.5;  // counts are drawn by their logarithms, so that a single component can be seen
    const Histogram histogram(a.errors);
    const double uncertainty = std::log10(a.reference.uncertainty);
    double first = uncertainty, last = uncertainty, most = 1;
    std::string data = "$bins << EOD\n", plots;
    if (!histogram.counts.empty()) {
        first = std::min(first, histogram.first());
        last = std::max(last, histogram.last());
        plots = "$bins using 1:2 with boxes lc rgb '#1f77b4' title 'components', ";
    }
    for (const auto& [bin, count] : histogram.counts) {
        data += fmt::format("{} {}\n", (bin + 0.5) / bins_a_decade, count);
        most = std::max(most, static_cast<double>(count));
    }
    const std::string title = fmt::format(
        "{}: {} components beside those of a reference{} ({}, {}, {}: {})",
        std::filesystem::path(s.file).filename().string(), a.errors.size(),
        histogram.zeros > 0 ? fmt::format("; {} of them are equal", histogram.zeros) : "", name(s.options.method),
        name(s.options.preconditioner), name(s.format.format), name(s.report.outcome));
    return fmt::format("{}EOD\n$edge << EOD\n{} {}\n{} {}\nEOD\n", data, uncertainty, lowest, uncertainty, 2 * most)
           + fmt::format(
               "set title {} noenhanced\nset xlabel '|x_i - reference_i| / max |reference|' noenhanced\n"
               "set ylabel 'components'\nset format x '10^{{%.0f}}'\nset xtics 1\nset logscale y\n"
               "set xrange [{}:{}]\nset yrange [{}:{}]\nset grid y\nset key below\n",
               gnuplot_string(title), std::floor(first - 0.5), std::ceil(last + 0.5), lowest, 2 * most)
           + fmt::format(
               "set boxwidth {}\nset style fill solid 0.7 border lc rgb 'white'\n"
               "plot {}$edge with lines lw 2 dt 2 lc rgb '#d62728' title 'uncertainty of the reference, "
               "{:.1e}'\n",
               1 / bins_a_decade, plots, a.reference.uncertainty);
}

}  // namespace

void plot_errors(const std::filesystem::path& file, const Solution& solution, const Accuracy& accuracy) {
    draw(file, 900, 560, script(solution, accuracy));
}

}  // namespace glsolve::cli
