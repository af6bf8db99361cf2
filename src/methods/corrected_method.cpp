#include "methods/corrected_method.hpp"

#include <fmt/format.h>

#include <utility>

namespace glsolve::inline v0_1 {

CorrectedMethod::CorrectedMethod(const System& system, std::int64_t max_iterations, std::int64_t recorded)
    : system_(system),
      max_iterations_(max_iterations),
      two_floats_(system.precision == Precision::two_float),
      own_history_(system.backend, recorded) {}

void CorrectedMethod::begin_with(Vector& spare, PartialSums& partial) {
    const Rehearsal only(system_.backend);  // with multigrid all of it would take as long as some iterations
    compute_residuals_in(spare, partial);
    if (two_floats_) allocate_low_parts();
    warm_up();
}

void CorrectedMethod::compute_residuals_in(Vector& spare, PartialSums& partial) {
    Operator& A = system_.all_digits != nullptr ? *system_.all_digits : system_.A;
    if (system_.residuals_on_device) residuals_.emplace(A, system_.scale, spare, partial);
}

void CorrectedMethod::warm_up() {
    warm_up_iteration();
    if (residuals_) residuals_->touch_all();
    system_.backend.flush();
}

/// Twice: a storage that is read and written has two textures.
void CorrectedMethod::warm_up_iteration() {
    with_programs_begun(system_.backend, [&] {
        for (int twice = 0; twice < 2; ++twice) touch_all();
    });
}

void CorrectedMethod::take_over(Refinement& refinement, StoppingCriterion& judgement, History& history) {
    history_ = &history;
    fixed_ = takes_up_ = false;
    forget();
    run(refinement, judgement);
}

StoppingRules CorrectedMethod::rules(bool /*may_change*/) const {
    return two_floats_ ? StoppingRules{.arithmetic = "two floats"} : StoppingRules{};
}

StoppingRules CorrectedMethod::complete(StoppingRules rules) const {
    rules.products = products();
    rules.preconditioned = system_.applies_M();
    return rules;
}

StoppingCriterion CorrectedMethod::judge(TrueResidual& truth, const Options& options,
                                         const StoppingRules& rules) const {
    return StoppingCriterion(truth, options, static_cast<Index>(truth.x().size()), limit_, finite_termination(),
                             complete(rules));
}

std::int64_t CorrectedMethod::patience_on_device() const {
    return glsolve::patience(complete(rules(false)), system_.size, finite_termination());
}

void CorrectedMethod::run(Refinement& refinement, StoppingCriterion& judgement) {
    Column one(refinement, judgement);
    loop({&one, 1});
}

/// No part of a solve: without corrections on the way, and nothing from the last one holds.
void CorrectedMethod::run_on_device(const DeviceRun& run) {
    fixed_ = disturbed_ = true;
    takes_up_ = false;
    history_->clear();
    resume_state_.forget();
    forget();
    run.begin(0);
    encode_run(run, *residuals(0));
    run.end(0, status());
}

/// In single precision as long as that helps; where Precision::automatic allows it, on in two floats from there.
void CorrectedMethod::solve(TrueResidual& truth, const Options& options, Report& report) {
    history_->clear();
    disturbed_ = false;
    if (std::exchange(takes_up_, false)) {
        if (!resume_state_.go_on(truth)) forget();
    } else {
        resume_state_.forget();
        forget();
    }
    fixed_ = options.fixed_iterations > 0;
    const bool may_change = takes_two_floats() && !fixed_ && !two_floats_ && options.precision == Precision::automatic
                            && system_.why_on_host.empty();
    const bool on_host = two_floats_ && carries_low_residual();
    Refinement refinement(truth, residuals_ && !on_host && !fixed_ ? &*residuals_ : nullptr,
                          fixed_    ? "it is the only one"
                          : on_host ? "the iteration is in two floats"
                                    : system_.why_on_host);
    if (fixed_) refinement.ignore_drift();

    StoppingRules all = rules(may_change);
    all.fixed = fixed_;
    StoppingCriterion first = judge(truth, options, all);
    run(refinement, first);
    const bool changes = may_change && first.limited_by_arithmetic();
    refinement.finish(changes ? "the iteration went on in two floats" : "");
    first.report(report);
    if (changes) {
        two_floats_ = true;
        allocate_low_parts();
        warm_up_iteration();
        forget();
        StoppingRules rest = rules(false);
        rest.iterations = first.iterations();
        rest.corrections = first.corrections();
        StoppingCriterion second = judge(truth, options, rest);
        run(refinement, second);
        refinement.finish();
        second.report(report);
        report.reason +=
            fmt::format("; in two floats from iteration {} on, when corrections no longer helped", first.iterations());
    }
    resume_state_.remember(truth, report.outcome);
    refinement.report(report);
    report.remarks = system_.remarks(remarks(), report.converged());
    report.history = history_->collect(report.iterations);
}

}  // namespace glsolve::inline v0_1
