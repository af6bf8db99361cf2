#include "solvers/short_recurrence.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t countable = std::int64_t{1} << 23;  // iterations of a run: a float counts them exactly

}  // namespace

ShortRecurrence::ShortRecurrence(const System& system, std::int64_t max_iterations)
    : KrylovMethod(system, max_iterations),
      partial_(system.backend, layout_of(system.size).extent()),
      reductions_(system.backend, system.size),
      status_(system.backend, "status"),
      iterate_(system.backend) {}

void ShortRecurrence::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    StatusLook look;
    look.iterations = judgement.iterations();
    while (!judgement.final() && !gives_up()) {
        const std::int64_t first = look.iterations;
        const double s = truth.unit_scale(), size = s * truth.scaled_norm();
        const double before = truth.norm(), best_before = truth.best_norm();
        // The recurrence's |r| belongs to s S r; so many times as large is the relative residual.
        const double to_relative = truth.relative() / size;
        history().corrected(first, to_relative, truth.relative());
        target_ = static_cast<float>(0.9 * truth.threshold() * size / before);
        // A residual that falls too slowly to ask for a correction is looked at all the same.
        longest_run_ = std::min({limit() - first, judgement.patience() + 1, history().room(first), countable});
        restart(refinement, s);
        look = iterate_.run(
            status_, first, longest_run_, [&](std::int64_t i) { recorded_iteration(i - first, i); },
            [&](const StatusLook& seen) {
                return judgement.observe({seen.iterations, seen.residual * to_relative, judgement.corrections()});
            });

        // The correction: x <- x + S y / s,  r <- b - A x in double precision or in two floats.
        const double drift = correct(refinement, look.iterations - first, s);
        assess(refinement, judgement, {look, before, best_before, s, drift});
        judgement.corrected(look);
    }
    history().corrected(look.iterations, 0, truth.relative());
}

}  // namespace glsolve::inline v0_1
