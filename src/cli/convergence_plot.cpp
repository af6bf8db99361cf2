#include "cli/convergence_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "cli/gnuplot.hpp"

namespace glsolve::cli {
namespace {

namespace fs = std::filesystem;

using Points = std::vector<HistoryEntry>;

/// What a logarithmic axis can show of a history.
template <class Wanted>
Points points_of(const Report& report, const Wanted& wanted) {
    Points points;
    for (const HistoryEntry& entry : report.history) {
        if (entry.relative_residual > 0 && std::isfinite(entry.relative_residual) && wanted(entry))
            points.push_back(entry);
    }
    return points;
}

bool any(const HistoryEntry&) { return true; }
bool corrected(const HistoryEntry& entry) { return entry.corrected; }
bool by_recurrence(const HistoryEntry& entry) { return !entry.corrected; }

/// No more than about `most` of them, evenly chosen, the last one always among them.
Points thinned(const Points& points, std::size_t most) {
    const std::size_t stride = points.size() / most + 1;
    Points kept;
    for (std::size_t i = points.size(); i > 0; i -= std::min(i, stride)) kept.push_back(points[i - 1]);
    std::reverse(kept.begin(), kept.end());
    return kept;
}

/// A named block of data.
std::string data_block(std::string_view block, const Points& points) {
    std::string text = fmt::format("${} << EOD\n", block);
    for (const HistoryEntry& entry : points) {
        text += fmt::format("{} {:.6e}\n", entry.iteration, entry.relative_residual);
    }
    return text + "EOD\n";
}

/// What the axes have to show, in residuals and iterations.
class Axes {
  public:
    /// The tolerance, and what is better than it, stand above the lower edge.
    explicit Axes(double tolerance) : least_(tolerance > 0 ? tolerance : 1) {}

    void take_in(const Report& report) {
        for (const HistoryEntry& entry : points_of(report, any)) {
            least_ = std::min(least_, entry.relative_residual);
            most_ = std::max(most_, entry.relative_residual);
        }
        longest_ = std::max(longest_, report.iterations);
        if (report.iterations > 0) shortest_ = std::min(shortest_, report.iterations);
    }

    /// Curves of very different lengths can be seen together only where iterations are logarithmic; the guess, which is
    /// iteration 0, is then left out.
    bool logarithmic() const { return longest_ / 20 > shortest_; }

    std::string commands() const {
        return fmt::format("set yrange [{:e}:{:e}]\nset xrange [{}:{}]\n", least_ / 3, most_ * 3, logarithmic() ? 1 : 0,
                           longest_)
               + (logarithmic() ? "set logscale x\n" : "")
               + "set xlabel 'iteration'\nset ylabel 'relative residual |b - A x| / |b|'\n"
                 "set logscale y\nset format y '10^{%T}'\nset grid\n";
    }

  private:
    double least_, most_ = 1;
    std::int64_t longest_ = 1, shortest_ = std::numeric_limits<std::int64_t>::max();
};

/// In the middle of a picture that has no curve to show.
std::string label(const std::string& text) {
    return fmt::format("set label {} at graph 0.5,0.5 center noenhanced\n", gnuplot_string(text));
}

/// The plot command: curves, and the tolerance or something invisible, since there has to be something to draw.
std::string plot_command(std::string curves, double tolerance) {
    if (!curves.empty()) curves += ", ";
    curves += tolerance > 0 ? fmt::format("{:e} with lines dt 2 lc rgb '#555555' title 'tolerance'", tolerance)
                            : "NaN with lines notitle";
    return "plot " + curves + "\n";
}

/// Why there is no curve, in a line.
std::string without_iterations(const Report& report) {
    constexpr std::size_t longest = 90;  // that fits
    return report.reason.size() > longest ? "no iterations" : "no iterations: " + report.reason;
}

std::string script(const Solution& s) {
    const Points recurrence = points_of(s.report, by_recurrence);
    const Points corrections = points_of(s.report, corrected);
    Axes axes(s.options.tolerance);
    axes.take_in(s.report);
    std::vector<std::string_view> curves;
    if (!recurrence.empty())
        curves.emplace_back("$recurrence with lines lw 2 lc rgb '#1f77b4' title 'recurrence, on the device'");
    if (!corrections.empty()) {
        curves.emplace_back(
            "$corrections with points pt 7 ps 0.8 lc rgb '#d62728' title 'true residual, in double precision'");
    }
    return data_block("recurrence", recurrence) + data_block("corrections", corrections)
           + fmt::format("set title {} noenhanced\n",
                         gnuplot_string(fmt::format("{}: {} after {} iterations ({}, {}, {})",
                                                    fs::path(s.file).filename().string(), name(s.report.outcome),
                                                    s.report.iterations, name(s.options.method),
                                                    name(s.options.preconditioner), s.device.renderer)))
           + axes.commands() + (s.report.iterations == 0 ? label(without_iterations(s.report)) : "")
           + "set key top right\n" + plot_command(fmt::format("{}", fmt::join(curves, ", ")), s.options.tolerance);
}

/// Ten colours that can be told apart, after Tableau.
constexpr std::array colours{"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
                             "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};
constexpr std::size_t dashes = 5;  // gnuplot's

/// What tells runs from each other: the method, and those of the other choices that are not the same for all.
std::vector<std::string> names_in_legend(const std::vector<const Run*>& runs) {
    std::vector<std::string> legend(runs.size());
    for (std::size_t choice = 0; !runs.empty() && choice < runs[0]->choices().size(); ++choice) {
        const auto word = [&](const Run* run) { return run->choices()[choice]; };
        const auto as_first = [&](const Run* run) { return word(run) == word(runs[0]); };
        if (choice > 0 && std::all_of(runs.begin(), runs.end(), as_first)) continue;
        for (std::size_t k = 0; k < runs.size(); ++k) legend[k] += (choice > 0 ? ", " : "") + word(runs[k]);
    }
    return legend;
}

/// The runs that have something to show, or nothing since they made no iterations.
std::vector<const Run*> drawn(const Comparison& comparison) {
    std::vector<const Run*> runs;
    for (const Run& run : comparison.runs) {
        const bool made_none = run.failure.empty() && run.solution.report.iterations == 0;
        if (made_none || !points_of(run.solution.report, any).empty()) runs.push_back(&run);
    }
    return runs;
}

std::string script(const Comparison& c, const std::vector<const Run*>& runs) {
    constexpr std::size_t most_points = 2000, most_dots = 30;  // more cannot be seen
    Axes axes(c.problem.options.tolerance);
    for (const Run* run : runs) axes.take_in(run->solution.report);
    const std::vector<std::string> legend = names_in_legend(runs);
    std::string data, curves;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const Report& report = runs[k]->solution.report;
        const std::string outcome =
            fmt::format("{}{}", report.iterations == 0 ? "no iterations, " : "",
                        report.converged() ? fmt::format("{:.3f} s", runs[k]->seconds()) : name(report.outcome));
        // Neighbours differ in both; fifty curves have a pair of their own.
        const char* colour = colours[k % colours.size()];
        const std::size_t dash = 1 + (k + k / colours.size()) % dashes;
        const std::string in_legend = fmt::format("with lines lw 2 dt {} lc rgb '{}' title {} noenhanced", dash, colour,
                                                  gnuplot_string(fmt::format("{}: {}", legend[k], outcome)));
        const auto add = [&](const std::string& curve) { curves += (curves.empty() ? "" : ", ") + curve; };
        const Points points = thinned(points_of(report, any), most_points);
        const Points dots = thinned(points_of(report, corrected), most_dots);
        data += data_block(fmt::format("run{}", k), points) + data_block(fmt::format("true{}", k), dots);
        // gnuplot warns of blocks without points.
        add(points.empty() ? "keyentry " + in_legend : fmt::format("$run{} {}", k, in_legend));
        if (!dots.empty()) add(fmt::format("$true{} with points pt 7 ps 0.7 lc rgb '{}' notitle", k, colour));
    }
    const std::string title =
        fmt::format("{}: {} rows, {} nonzeros; dots are true residuals", fs::path(c.problem.file).filename().string(),
                    c.problem.rows, c.problem.nonzeros);
    return data + fmt::format("set title {} noenhanced\n", gnuplot_string(title)) + axes.commands()
           + (std::all_of(runs.begin(), runs.end(), [](const Run* run) { return run->solution.report.iterations == 0; })
                  ? label("no iterations")
                  : "")
           + "set key below center horizontal Left reverse maxcols 2 spacing 1.1\nset xlabel offset 0,0.4\n"
           + plot_command(curves, c.problem.options.tolerance);
}

}  // namespace

void plot_convergence(const fs::path& file, const Solution& solution) { draw(file, 900, 560, script(solution)); }

void plot_convergence(const fs::path& file, const Comparison& comparison) {
    constexpr int line = 20;  // of the legend, in pixels
    const std::vector<const Run*> runs = drawn(comparison);
    draw(file, 1000, 520 + line * static_cast<int>(runs.size()), script(comparison, runs));
}

}  // namespace glsolve::cli
