#include "solvers/plain_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "core/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_tests = 4096;                           // of a run, each of which is recorded
constexpr std::int64_t countable = std::int64_t{1} << 23;  // iterations of a run: a float counts them exactly

}  // namespace

PlainIteration::PlainIteration(const System& system, int test_every, std::int64_t max_iterations)
    : system_(system),
      test_every_(test_every),
      limit_(max_iterations),
      y_(system.backend, system.size, "y"),
      b_(system.backend, system.size, "b"),
      spare_(system.backend, system.size, "spare"),
      partial_(system.backend, y_.layout().extent()),
      reductions_(system.backend, system.size),
      sums_(system.backend, "(r,r), (y,y)"),
      state_(system.backend, "state"),
      status_(system.backend, "status"),
      tests_(system.backend, {1024, most_tests / 1024}, Element::real, "tests"),
      own_history_(system.backend, 1),
      iterate_(system.backend) {
    if (system.residuals_on_device) residuals_.emplace(system.A, system.scale, spare_, partial_);
}

/// Twice, with an odd number of passes over each storage in between: one that is read and written has two textures.
void PlainIteration::warm_up() {
    for (int twice = 0; twice < 2; ++twice) {
        fill(y_, 0);
        fill(b_, 0);
        clear(0);
        restart(1);
        for (const std::int64_t i : {std::int64_t{0}, std::int64_t{test_every_} - 1}) iteration(i);
    }
    ended(0);
    system_.backend.flush();
}

/// Before a run, whose first residual is |b|: what the first test finds may be far below that already.
void PlainIteration::clear(double norm_b) {
    fill(state_, static_cast<float>(norm_b));
    fill(status_, 0);
    tests_done_ = 0;
}

/// Iteration i, looked at where it is the last one or the last of `test_every`.
void PlainIteration::iteration(std::int64_t i) {
    const std::int64_t done = i - first_ + 1;
    const bool test = done % test_every_ == 0 || done == longest_run_;
    step(test);
    if (test) control(static_cast<int>((done - 1) % test_every_) + 1);
}

void PlainIteration::control(int steps) {
    system_.backend.encode(pass::step_control{.state = state_,
                                              .status = status_,
                                              .sums = sums_,
                                              .steps = steps,
                                              .limit = static_cast<std::int32_t>(longest_run_),
                                              .target = target_,
                                              .norm = static_cast<float>(system_.infinity_norm),
                                              .tolerated = tolerated_drift(fixed_)});
    if (tests_done_ < most_tests) record(tests_, tests_done_++, state_);
}

void PlainIteration::solve(Correction& truth, const Options& options, Report& report) {
    history_->clear();
    disturbed_ = false;
    fixed_ = options.fixed_iterations > 0;
    if (!takes_up_) left_off_.forget();
    takes_up_ = takes_up_ && left_off_.go_on(truth);
    Refinement refinement(truth, residuals_ && !fixed_ ? &*residuals_ : nullptr,
                          fixed_ ? "it is the only one" : system_.why_on_host);
    if (fixed_) refinement.ignore_drift();
    Judgement judgement(truth, options, system_.size, limit_, false,
                        {.least_patience = patience(test_every_), .fixed = fixed_});
    begin_or_refuse(refinement, judgement);
    refinement.finish();
    judgement.report(report);
    left_off_.remember(truth, report.outcome);
    refinement.report(report);
    report.remarks = system_.remarks(remarks(), report.converged());
    report.history = history_->collect(report.iterations);
}

void PlainIteration::run_on_device(const DeviceRun& run) {
    fixed_ = disturbed_ = true;
    takes_up_ = false;
    left_off_.forget();
    first_ = 0;
    longest_run_ = std::min({run.iterations, countable, std::int64_t{most_tests} * test_every_});
    target_ = run.target;
    run.begin(0);
    residuals_->restart(b_, nullptr, 1);
    fill(y_, 0);
    clear(0);  // the first test says how large the residual is
    restart(0);
    const auto body = [&](std::int64_t i) { iteration(i); };
    if (run.waits) {
        iterate_.run(status_, 0, longest_run_, body, [](const StatusLook&) { return true; });
    } else {
        for (std::int64_t i = 0; i < longest_run_; ++i) body(i);
    }
    residuals_->correct(y_, nullptr, b_, 1);
    run.end(0, status_);
}

std::int64_t PlainIteration::patience(int test_every) {
    return std::max<std::int64_t>(10000, 40 * std::int64_t{test_every});
}

void PlainIteration::take_over(Refinement& refinement, Judgement& judgement, History& history) {
    history_ = &history;
    fixed_ = takes_up_ = false;
    begin_or_refuse(refinement, judgement);
}

void PlainIteration::begin_or_refuse(Refinement& refinement, Judgement& judgement) {
    if (!why_not().empty() && !judgement.final()) {
        judgement.broke_down(why_not());
        judgement.corrected({.iterations = judgement.iterations()});
    } else {
        run(refinement, judgement);
    }
}

/// Iterates and corrects until it is over.
void PlainIteration::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    StatusLook look{.iterations = judgement.iterations()};
    if (!takes_up_) s_ = 0;
    takes_up_ = false;
    while (!judgement.final()) {
        const double s = truth.unit_scale(), size = s * truth.scaled_norm();
        const double to_relative = truth.relative() / size;
        history_->corrected(look.iterations, to_relative, truth.relative());
        target_ = fixed_ ? 0 : static_cast<float>(0.9 * truth.threshold() * size / truth.norm());
        refinement.restart(b_, nullptr, s);
        fill(y_, 0);
        clear(size);
        restart(s_ > 0 ? s / s_ : 0);
        s_ = s;

        const std::int64_t first = look.iterations;
        look = iterate(judgement, first, to_relative);
        ended(look.iterations - first);
        know(look, first);
        if (look.stop == Stop::diverged || look.stop == Stop::not_finite) {
            const std::string why = diverged();
            if (!why.empty()) judgement.diverged(why);
        } else {
            // The correction: x <- x + S y / s,  r <- b - A x in double precision or in two floats.
            refinement.correct(y_, nullptr, b_, s);
        }
        judgement.corrected(look);
    }
    history_->corrected(look.iterations, 0, truth.relative());
}

/// A run, at most twice as long as it should take; ends where the method begins anew, since it was too slow.
StatusLook PlainIteration::iterate(Judgement& judgement, std::int64_t first, double to_relative) {
    first_ = first;
    if (fixed_) {
        longest_run_ = limit_ - first;
        return iterate_.run_all(status_, first, longest_run_, [&](std::int64_t i) { iteration(i); });
    }
    longest_run_ = std::min({limit_ - first, std::max<std::int64_t>(2 * run_length(), 16 * test_every_), countable,
                             std::int64_t{most_tests} * test_every_});
    StatusLook mark;
    return iterate_.run(
        status_, first, longest_run_, [&](std::int64_t i) { iteration(i); },
        [&](const StatusLook& seen) {
            if (!judgement.observe({seen.iterations, seen.residual * to_relative, judgement.corrections()})) {
                return false;
            }
            if (seen.stop != Stop::running || seen.iterations == first) return true;
            if (mark.residual == 0) mark = seen;
            const std::int64_t steps = seen.iterations - mark.iterations;
            if (steps < std::max<std::int64_t>(run_length() / 4, 4 * test_every_)) return true;
            const double factor = std::pow(seen.residual / mark.residual, 1.0 / static_cast<double>(steps));
            mark = seen;
            return !too_slow(factor);
        });
}

/// Tells the history what the tests of a run have found.
void PlainIteration::know(const StatusLook& look, std::int64_t first) {
    std::vector<float> texels(static_cast<std::size_t>(most_tests) * 4);
    system_.backend.read(tests_.id(), texels);
    std::vector<double> residuals(static_cast<std::size_t>(look.iterations - first), History::unknown);
    const std::int64_t recorded = std::min<std::int64_t>(std::ssize(residuals), std::int64_t{most_tests} * test_every_);
    for (std::int64_t i = test_every_ - 1; i < recorded + test_every_ - 1; i += test_every_) {
        const auto at = static_cast<std::size_t>(std::min<std::int64_t>(i, std::ssize(residuals) - 1));
        residuals[at] = static_cast<double>(texels[static_cast<std::size_t>(i / test_every_) * 4 + 3]);
    }
    history_->know(first, residuals);
}

}  // namespace glsolve::inline v0_1
