#include "cli/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <glsolve/error.hpp>
#include <iterator>
#include <system_error>

namespace glsolve::cli {
namespace {

namespace fs = std::filesystem;

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
        throw Error("pictures need the program gnuplot (Debian and Ubuntu: apt-get install gnuplot-nox)");
    }
}

// Single quotes: in double ones gnuplot would *execute* what stands between backticks.
std::string gnuplot_string(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'') result += '\'';
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return result + "'";
}

void draw(const fs::path& file, int width, int height, const std::string& commands) {
    const bool svg = file.extension() == ".svg";
    fs::path unfinished = file;
    unfinished += ".part";
    const std::string text = fmt::format(
        "set terminal {} size {},{} font 'sans,{}' background 'white'\nset output {}\n{}", svg ? "svg" : "pngcairo",
        width, height, svg ? 14 : 11, gnuplot_string(unfinished.string()), commands);
    // A gnuplot that dies early shall be an error of ours, not our end.
    const auto previous = std::signal(SIGPIPE, SIG_IGN);
    std::FILE* gnuplot = popen("gnuplot", "w");
    if (gnuplot == nullptr) throw Error("gnuplot could not be started");
    bool written = std::fwrite(text.data(), 1, text.size(), gnuplot) == text.size();
    const int result = pclose(gnuplot);
    written = written && is_whole(unfinished, svg);
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
