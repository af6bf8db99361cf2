#include "race/runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace race {
namespace {

constexpr std::int64_t longest_plateau = 20'000;  // iterations in which the best residual has to fall

/// All but "auto", which is none of its own, and cgnr, whose curve is that of another residual.
std::vector<glsolve::Method> methods() {
    std::vector<glsolve::Method> all = glsolve::all_methods();
    std::erase(all, glsolve::Method::automatic);
    std::erase(all, glsolve::Method::cgnr);
    return all;
}

/// Each iteration is expensive, and takes the error down by a digit.
bool is_multigrid(glsolve::PreconditionerKind kind) {
    return kind == glsolve::PreconditionerKind::amg || kind == glsolve::PreconditionerKind::multigrid;
}

/// These go on after a slice as if they had not stopped; all others begin anew from x.
bool can_be_sliced(glsolve::Method method) {
    return glsolve::is_cg(method) || glsolve::is_stationary(method) || method == glsolve::Method::chebyshev;
}

/// A slice ends with the true residual, computed in double precision: that takes about as long as some iterations do.
/// By time slices are long enough that this does not matter; by iterations the curves are to be fine.
std::int64_t slice_of(const Choice& choice, Clock clock) {
    if (is_multigrid(choice.preconditioner) || choice.method == glsolve::Method::direct) return 1;
    return clock == Clock::time || !can_be_sliced(choice.method) ? 32 : 4;
}

glsolve::Options options_of(const Choice& choice, double tolerance, Clock clock) {
    glsolve::Options options;
    options.method = choice.method;
    options.preconditioner = choice.preconditioner;
    options.tolerance = tolerance;
    options.max_iterations = slice_of(choice, clock);
    // Within a short slice chebyshev cannot see that its bounds are wrong: it gets good ones from the beginning.
    options.chebyshev.lanczos_steps = 256;
    if (clock == Clock::iterations) {
        options.test_every = 4;      // steps from one point of the curve to the next
        options.amg.coarsest = 500;  // else it follows from what the device was measured to do
    }
    return options;
}

/// The one with this name.
template <class Value>
std::optional<Value> find(const std::vector<Value>& all, std::string_view text) {
    const auto found = std::ranges::find_if(all, [&](Value value) { return glsolve::name(value) == text; });
    return found != all.end() ? std::optional(*found) : std::nullopt;
}

template <class Value>
std::string list(const std::vector<Value>& all) {
    std::vector<std::string_view> names;
    for (const Value value : all) names.push_back(glsolve::name(value));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The first solve allocates: that is no part of the race.
glsolve::Solver ready_solver(glsolve::Device& device, const Problem& problem, const glsolve::Options& options) {
    glsolve::Solver solver(device, problem.A, options);
    std::vector<double> x(problem.b.size(), 0.0);
    solver.solve(problem.b, x);
    return solver;
}

}  // namespace

std::string Choice::label() const {
    const bool plain = preconditioner == glsolve::PreconditionerKind::none;
    return plain ? std::string(glsolve::name(method))
                 : fmt::format("{} + {}", glsolve::name(method), glsolve::name(preconditioner));
}

Choice parse_choice(const std::string& text) {
    const std::size_t plus = text.find('+');
    const auto method = find(methods(), text.substr(0, plus));
    if (!method) {
        throw std::runtime_error(
            fmt::format("--runners: there is no method '{}'; there are {}", text.substr(0, plus), list(methods())));
    }
    if (plus == std::string::npos) return {.method = *method};
    const auto preconditioner = find(glsolve::all_preconditioners(), text.substr(plus + 1));
    if (!preconditioner) {
        throw std::runtime_error(fmt::format("--runners: there is no preconditioner '{}'; there are {}",
                                             text.substr(plus + 1), list(glsolve::all_preconditioners())));
    }
    return {.method = *method, .preconditioner = *preconditioner};
}

Runner::Runner(glsolve::Device& device, const Problem& problem, const Choice& choice, double tolerance, Clock clock)
    : problem_(problem),
      options_(options_of(choice, tolerance, clock)),
      label_(choice.label()),
      solver_(ready_solver(device, problem, options_)) {
    start();
}

void Runner::start() {
    x_.assign(problem_.b.size(), 0.0);
    curve_.assign(1, {.iteration = 0, .seconds = 0, .residual = 1, .corrected = true});  // x = 0: |b - A x| = |b|
    status_ = glsolve::Outcome::max_iterations;
    iterations_ = fallen_at_ = 0;
    residual_ = 1;
    seconds_ = 0;
}

void Runner::run() {
    const glsolve::Report report = iterations_ == 0 ? solver_.solve(problem_.b, x_) : solver_.resume(problem_.b, x_);
    setup_seconds_ = report.setup_seconds;
    status_ = report.outcome;
    if (running() && report.iterations == 0) status_ = glsolve::Outcome::stagnated;  // it does not move at all
    for (const glsolve::HistoryEntry& entry : report.history) {
        if (entry.iteration == 0) continue;  // where the slice before has ended
        const double share = static_cast<double>(entry.iteration) / static_cast<double>(report.iterations);
        curve_.push_back({.iteration = iterations_ + entry.iteration,
                          .seconds = seconds_ + share * report.solve_seconds,
                          .residual = entry.relative_residual,
                          .corrected = entry.corrected});
    }
    iterations_ += report.iterations;
    seconds_ += report.solve_seconds;
    const double true_residual = report.relative_residual;  // of the x that was handed back
    // The residual of conjugate gradients may rise for some iterations while the error falls: the best x so far is
    // handed back then, and the curve shows where the method is.
    if (true_residual < residual_) {
        fallen_at_ = iterations_;
    } else if (running() && iterations_ - fallen_at_ > longest_plateau) {
        status_ = glsolve::Outcome::stagnated;  // slices are too short for the method to see it
    }
    residual_ = true_residual;
    const bool put_back = curve_.back().residual > 1.0001 * true_residual;
    if (put_back && running()) return;
    if (put_back || !curve_.back().corrected) {
        curve_.push_back({iterations_, seconds_, true_residual, true});
    } else {
        curve_.back().residual = true_residual;  // the device's correction was in two floats
    }
}

}  // namespace race
