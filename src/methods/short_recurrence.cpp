#include "methods/short_recurrence.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {
ShortRecurrence::ShortRecurrence(const System& system, std::int64_t max_iterations)
    : CorrectedMethod(system, max_iterations, max_iterations),
      partial_(system.backend, layout_of(system.size).extent()),
      reductions_(system.backend, system.size),
      status_(system.backend, "status"),
      iterate_(system.backend) {}

void ShortRecurrence::encode_run(const DeviceRun& run, DeviceResiduals& ends) {
    target_ = run.target;
    longest_run_ = std::min(run.iterations, countable);
    restart(ends, 1);
    iterate_.encode(status_, longest_run_, run.look,
                    [&](std::int64_t k) { run.records ? recorded_while_room(k) : iteration(k); });
    correct(ends, longest_run_, 1);
}

void ShortRecurrence::prepare(Column& column, int /*k*/) {
    target_ = fixed() ? 0 : column.scale.target;
    // A residual that falls too slowly to ask for a correction is looked at all the same.
    longest_run_ = std::min({limit() - column.first, fixed() ? limit() : column.judgement.patience() + 1,
                             history().room(column.first), countable});
    restart(column.refinement, column.scale.s);
}

void ShortRecurrence::iterate(std::span<Column> columns) {
    Column& one = columns.front();
    const auto body = [&](std::int64_t i) { recorded_iteration(i - one.first, i); };
    if (fixed()) {
        one.look = iterate_.run_all(status_, one.first, longest_run_, body);
    } else {
        one.look = iterate_.run(status_, one.first, longest_run_, body, [&](const StatusLook& seen) {
            return one.judgement.observe(
                {seen.iterations, seen.residual * one.scale.to_relative, one.judgement.corrections()});
        });
    }
}

void ShortRecurrence::apply_correction(Column& column, int /*k*/) {
    assess(column, correct(column.refinement, column.steps(), column.scale.s));
}

}  // namespace glsolve::inline v0_1
