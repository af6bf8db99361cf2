#include "cli/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <glsolve/error.hpp>
#include <iterator>
#include <string>
#include <system_error>

namespace glsolve::cli {
namespace {

namespace fs = std::filesystem;

/// A gnuplot string. Single quotes: in double ones gnuplot would *execute* what stands between backticks.
std::string gnuplot_string(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') result += '\'';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "'";
}

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

std::string script(const fs::path& output, bool svg, const Solution& s) {
    const std::string recurrence = data_block("recurrence", s.report, false);
    const std::string corrections = data_block("corrections", s.report, true);
    std::string text = svg ? "set terminal svg size 900,560 font 'sans,14' background 'white'\n"
                           : "set terminal pngcairo size 900,560 font 'sans,11' background 'white'\n";
    text += fmt::format("set output {}\n", gnuplot_string(output.string()));
    text += recurrence + corrections;
    text += fmt::format(
        "set title {} noenhanced\n",
        gnuplot_string(fmt::format("{}: {} after {} iterations ({}, {}, {})", fs::path(s.file).filename().string(),
                                   name(s.report.status), s.report.iterations, name(s.options.method),
                                   name(s.options.preconditioner), s.device.renderer)));
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

bool in_path(std::string_view program) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        std::error_code ignored;
        if (fs::is_regular_file(fs::path(rest.substr(0, end)) / program, ignored)) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

/// Has gnuplot written all of it? It does not notice that a disk is full.
bool is_whole(const fs::path& picture, bool svg) {
    std::ifstream file(picture, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.find(svg ? "</svg>" : "IEND", text.size() - std::min<std::size_t>(text.size(), 64))
           != std::string::npos;
}

}  // namespace

void require_gnuplot() {
    if (!in_path("gnuplot")) {
        throw Error("--plot needs the program gnuplot (Debian and Ubuntu: apt-get install gnuplot-nox)");
    }
}

void plot_convergence(const fs::path& file, const Solution& solution) {
    fs::path unfinished = file;
    unfinished += ".part";
    const std::string text = script(unfinished, file.extension() == ".svg", solution);
    // A gnuplot that dies early shall be an error of ours, not our end.
    const auto previous = std::signal(SIGPIPE, SIG_IGN);
    std::FILE* gnuplot = popen("gnuplot", "w");
    if (gnuplot == nullptr) throw Error("gnuplot could not be started");
    bool written = std::fwrite(text.data(), 1, text.size(), gnuplot) == text.size();
    const int result = pclose(gnuplot);
    written = written && is_whole(unfinished, file.extension() == ".svg");
    std::signal(SIGPIPE, previous);
    std::error_code failure;
    if (written && result == 0) fs::rename(unfinished, file, failure);
    if (!written || result != 0 || failure) {
        std::error_code ignored;
        fs::remove(unfinished, ignored);
        throw Error(fmt::format("{}: the picture could not be drawn: {}; a writable folder with enough room is needed",
                                file.string(), failure ? failure.message() : "gnuplot failed, or the disk is full"));
    }
}

}  // namespace glsolve::cli
