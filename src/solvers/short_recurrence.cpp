#include "solvers/short_recurrence.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {
ShortRecurrence::ShortRecurrence(const System& system, std::int64_t max_iterations)
    : KrylovMethod(system, max_iterations),
      partial_(system.backend, layout_of(system.size).extent()),
      reductions_(system.backend, system.size),
      status_(system.backend, "status"),
      iterate_(system.backend) {}

void ShortRecurrence::run_on_device(const DeviceRun& run) {
    begin_run();
    target_ = run.target;
    longest_run_ = std::min(run.iterations, countable);
    DeviceResiduals& ends = *residuals(0);
    run.begin(0);
    restart(ends, 1);
    const auto body = [&](std::int64_t k) {
        run.records&& history().has_room(k) ? recorded_iteration(k, k) : iteration(k);
    };
    if (run.waits) {
        iterate_.run(status_, 0, longest_run_, body, [](const StatusLook&) { return true; });
    } else {
        for (std::int64_t k = 0; k < longest_run_; ++k) body(k);
    }
    correct(ends, longest_run_, 1);
    run.end(0, status_);
}

void ShortRecurrence::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    StatusLook look;
    look.iterations = judgement.iterations();
    while (!judgement.final() && !gives_up()) {
        const std::int64_t first = look.iterations;
        const RunScale scale(truth);
        const double before = truth.norm(), best_before = truth.best_norm();
        history().corrected(first, scale.to_relative, truth.relative());
        target_ = fixed() ? 0 : scale.target;
        // A residual that falls too slowly to ask for a correction is looked at all the same.
        longest_run_ =
            std::min({limit() - first, fixed() ? limit() : judgement.patience() + 1, history().room(first), countable});
        restart(refinement, scale.s);
        const auto body = [&](std::int64_t i) { recorded_iteration(i - first, i); };
        if (fixed()) {
            look = iterate_.run_all(status_, first, longest_run_, body);
        } else {
            look = iterate_.run(status_, first, longest_run_, body, [&](const StatusLook& seen) {
                return judgement.observe({seen.iterations, seen.residual * scale.to_relative, judgement.corrections()});
            });
        }

        // The correction: x <- x + S y / s,  r <- b - A x in double precision or in two floats.
        const double drift = correct(refinement, look.iterations - first, scale.s);
        assess(refinement, judgement, {look, before, best_before, scale.s, drift});
        judgement.corrected(look);
    }
    history().corrected(look.iterations, 0, truth.relative());
}

}  // namespace glsolve::inline v0_1
