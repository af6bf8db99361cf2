#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>
#if defined(_WIN32)
#include <io.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace glsolve::cli {
namespace {

bool is_terminal() {
#if defined(_WIN32)
    return _isatty(_fileno(stderr)) != 0;
#else
    return isatty(STDERR_FILENO) != 0;
#endif
}

/// As much of a line as fits: what is longer would begin another one, which is not written over.
std::string_view fitting(std::string_view text) {
#if !defined(_WIN32)
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) return text.substr(0, size.ws_col - 1U);
#endif
    return text;
}

constexpr std::chrono::milliseconds interval{100};

}  // namespace

void print_line(std::FILE* to, std::string_view what, std::string_view text) {
    fmt::print(to, "{:<12} {}\n", what, text);
}

ProgressLine::ProgressLine(bool quiet) : enabled_(!quiet && is_terminal()) {}

void ProgressLine::show(std::string_view text, bool now) {
    const auto time = std::chrono::steady_clock::now();
    if (!enabled_ || (!now && time - last_ < interval)) return;
    last_ = time;
    shown_ = true;
    fmt::print(stderr, "\r{}\033[K", fitting(text));
    std::fflush(stderr);
}

void ProgressLine::note(std::string_view text) {
    if (!enabled_) return;
    clear();
    fmt::print(stderr, "{}\n", text);
}

void ProgressLine::clear() {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    shown_ = false;
}

}  // namespace glsolve::cli
