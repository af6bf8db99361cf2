#include "cli/convergence_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cli/gnuplot.hpp"

namespace glsolve::cli {
namespace {

namespace fs = std::filesystem;

/// A named block of data. Logarithmic axes cannot show zeros.
std::string data_block(std::string_view block, const Report& report, bool corrected) {
    std::string text = fmt::format("${} << EOD\n", block);
    for (const HistoryEntry& entry : report.history) {
        if (entry.corrected != corrected || !(entry.relative_residual > 0) || std::isinf(entry.relative_residual))
            continue;
        text += fmt::format("{} {:.6e}\n", entry.iteration, entry.relative_residual);
    }
    return text + "EOD\n";
}

bool has_points(std::string_view block) { return std::count(block.begin(), block.end(), '\n') > 2; }

std::string script(const Solution& s) {
    const std::string recurrence = data_block("recurrence", s.report, false);
    const std::string corrections = data_block("corrections", s.report, true);
    std::string text = recurrence + corrections;
    text += fmt::format(
        "set title {} noenhanced\n",
        gnuplot_string(fmt::format("{}: {} after {} iterations ({}, {}, {})", fs::path(s.file).filename().string(),
                                   name(s.report.status), s.report.iterations, name(s.options.method),
                                   name(s.options.preconditioner), s.device.renderer)));
    // The tolerance, and what is better than it, stand above the lower edge.
    double least = s.options.tolerance > 0 ? s.options.tolerance : 1, most = 1;
    for (const HistoryEntry& entry : s.report.history) {
        if (!(entry.relative_residual > 0) || std::isinf(entry.relative_residual)) continue;
        least = std::min(least, entry.relative_residual);
        most = std::max(most, entry.relative_residual);
    }
    text += fmt::format("set yrange [{:e}:{:e}]\nset xrange [0:{}]\n", least / 3, most * 3,
                        std::max<std::int64_t>(s.report.iterations, 1));
    text +=
        "set xlabel 'iteration'\nset ylabel 'relative residual |b - A x| / |b|'\n"
        "set logscale y\nset format y '10^{%T}'\nset grid\nset key top right\n";
    std::string curves;
    const auto add = [&](const std::string& curve) { curves += (curves.empty() ? "" : ", ") + curve; };
    if (has_points(recurrence)) add("$recurrence with lines lw 2 lc rgb '#1f77b4' title 'recurrence, on the device'");
    if (has_points(corrections)) {
        add("$corrections with points pt 7 ps 0.8 lc rgb '#d62728' title 'true residual, in double precision'");
    }
    if (s.options.tolerance > 0)
        add(fmt::format("{:e} with lines dt 2 lc rgb '#555555' title 'tolerance'", s.options.tolerance));
    if (curves.empty()) add("1 with lines lc rgb '#ffffff' title 'no iterations'");
    return text + "plot " + curves + "\n";
}

}  // namespace

void plot_convergence(const fs::path& file, const Solution& solution) { draw(file, 900, 560, script(solution)); }

}  // namespace glsolve::cli
