#include "cli/solve_progress.hpp"

#include <fmt/format.h>

#include <cmath>

namespace glsolve::cli {

std::string SolveProgress::text(const Progress& now) {
    constexpr double interval = 1;  // seconds from one mark to the next, and before the first words
    const auto time = Clock::now();
    const auto since = [&](Clock::time_point before) { return std::chrono::duration<double>(time - before).count(); };
    const auto iterations = static_cast<double>(now.iteration - mark_.iteration);
    const bool begins = mark_.relative_residual == 0 || iterations < 0;  // another method may have gone on
    if (begins || since(marked_at_) >= interval) {
        rate_.clear();
        if (!begins && iterations > 0) {
            const double factor = std::pow(now.relative_residual / mark_.relative_residual, 1 / iterations);
            rate_ = fmt::format("; {:.3g} iterations/s, each times {:.4f}", iterations / since(marked_at_), factor);
        }
        mark_ = now;
        marked_at_ = time;
    }
    if (since(begin_) < interval) return "";
    return fmt::format("iteration {}, residual {:.2e}, {} corrections{}", now.iteration, now.relative_residual,
                       now.corrections, rate_);
}

}  // namespace glsolve::cli
