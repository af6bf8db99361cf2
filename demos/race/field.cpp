#include "race/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <stdexcept>

namespace race {
namespace {

constexpr std::size_t most_runners = 8;  // that the picture has colours and room for

}  // namespace

Field::Field(glsolve::Device& device, const Problem& problem, const std::vector<std::string>& names, double tolerance,
             Clock clock)
    : clock_(clock), tolerance_(tolerance) {
    if (names.size() > most_runners) {
        throw std::runtime_error(fmt::format("--runners: {} of them; at most {}", names.size(), most_runners));
    }
    const std::vector<std::string> usual{"jacobi", "gauss-seidel", "chebyshev", "cg", "cg+amg", "cg+multigrid"};
    std::vector<Choice> choices;
    for (const std::string& name : names.empty() ? usual : names) choices.push_back(parse_choice(name));
    runners_.reserve(choices.size());
    for (const Choice& choice : choices) {
        try {
            runners_.emplace_back(device, problem, choice, tolerance, clock);
        } catch (const glsolve::InvalidInput& refused) {
            if (!names.empty()) throw std::runtime_error(fmt::format("{}: {}", choice.label(), refused.what()));
            left_out_.push_back({choice.label(), refused.what()});
        }
    }
    if (runners_.empty()) throw std::runtime_error("no runner takes this matrix: " + left_out_.front().why);
}

void Field::start() {
    now_ = 0;
    for (Runner& runner : runners_) runner.start();
}

void Field::advance() {
    if (!running()) return;
    if (clock_ == Clock::iterations) {  // one by one at first, then so that a logarithmic axis is gone along evenly
        now_ = std::max(now_ + 1, std::floor(1.06 * now_));
        for (Runner& runner : runners_) {
            while (runner.running() && static_cast<double>(runner.iterations() + runner.slice()) <= now_) runner.run();
        }
        return;
    }
    now_ += std::clamp(0.04 * now_, 2e-3, 2e-2);
    for (;;) {
        Runner* next = nullptr;
        for (Runner& runner : runners_) {
            if (!runner.running() || runner.seconds() >= now_) continue;
            if (next == nullptr || runner.seconds() < next->seconds()) next = &runner;
        }
        if (next == nullptr) return;
        next->run();
    }
}

bool Field::running() const {
    return std::ranges::any_of(runners_,
                               [&](const Runner& runner) { return runner.running() || runner.used(clock_) > now_; });
}

bool Field::shown(const CurvePoint& point) const {
    return (clock_ == Clock::time ? point.seconds : static_cast<double>(point.iteration)) <= now_;
}

int Field::place(const Runner& runner) const {
    if (!runner.converged() || runner.used(clock_) > now_) return 0;
    return 1 + static_cast<int>(std::ranges::count_if(runners_, [&](const Runner& other) {
               return other.converged() && other.used(clock_) < runner.used(clock_);
           }));
}

}  // namespace race
