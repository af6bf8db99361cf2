#include "solvers/precision_change.hpp"

#include <fmt/format.h>

namespace glsolve::inline v0_1 {

void run_with_change(Refinement& refinement, Report& report, const PrecisionChange& how) {
    Judgement first = how.judge(how.first);
    how.run(first);
    const bool changes = how.allowed && first.limited_by_arithmetic();
    refinement.finish(changes ? "the iteration went on in two floats" : "");
    first.report(report);
    if (!changes) return;
    how.change();
    JudgementRules rules = how.second;
    rules.iterations = first.iterations();
    rules.corrections = first.corrections();
    Judgement second = how.judge(rules);
    how.run(second);
    refinement.finish();
    second.report(report);
    report.reason +=
        fmt::format("; in two floats from iteration {} on, when corrections no longer helped", first.iterations());
}

}  // namespace glsolve::inline v0_1
