#include "cli/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace glsolve::cli {
namespace {

constexpr std::array<std::string_view, 6> names{"start", "read", "open", "set up", "solve", "write"};

/// Of the process, before there was a clock: until then it waits for nobody.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

constexpr auto at(Phase phase) { return static_cast<std::size_t>(phase); }

}  // namespace

Phases::Phases() { seconds_[at(Phase::start)] = processor_seconds(); }

void Phases::begin(Phase phase) {
    seconds_[at(on_)] = of(on_);
    on_ = phase;
    since_ = Clock::now();
}

double Phases::of(Phase phase) const {
    const double so_far = seconds_[at(phase)];
    return phase == on_ ? so_far + std::chrono::duration<double>(Clock::now() - since_).count() : so_far;
}

std::vector<Phases::Part> Phases::parts(const Report& r) const {
    const double set_up = of(Phase::set_up) - r.setup_compile_seconds - r.setup_upload_seconds;
    const double solve = of(Phase::solve) - r.solve_compile_seconds - r.host_seconds;
    return {{"start", of(Phase::start)},       {"read", of(Phase::read)},
            {"open", of(Phase::open)},         {"compile", r.setup_compile_seconds + r.solve_compile_seconds},
            {"set up", std::max(set_up, 0.0)}, {"upload", r.setup_upload_seconds},
            {"solve", std::max(solve, 0.0)},   {"judge", r.host_seconds},
            {"write", of(Phase::write)}};
}

std::string Phases::ended() const {
    std::string text;
    for (const Phase phase : {Phase::read, Phase::open, Phase::set_up, Phase::solve}) {
        if (phase != on_ && of(phase) >= 0.005) text += fmt::format("{} {:.2f} s, ", names[at(phase)], of(phase));
    }
    return text;
}

std::string in_words(const std::vector<Phases::Part>& parts) {
    std::string text;
    double all = 0;
    for (const Phases::Part& part : parts) {
        all += part.seconds;
        if (part.seconds < 0.0005) continue;
        text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", part.name, part.seconds);
    }
    return fmt::format("{:.3f} s in all: {}", all, text);
}

}  // namespace glsolve::cli
