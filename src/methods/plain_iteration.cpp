#include "methods/plain_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "device/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_tests = 4096;  // of a run, each of which is recorded

}  // namespace

PlainIteration::PlainIteration(const System& system, int test_every, std::int64_t max_iterations)
    : CorrectedMethod(system, max_iterations, 1),
      test_every_(test_every),
      y_(system.backend, system.size, "y"),
      b_(system.backend, system.size, "b"),
      spare_(system.backend, system.size, "spare"),
      partial_(system.backend, y_.layout().extent()),
      reductions_(system.backend, system.size),
      sums_(system.backend, "(r,r), (y,y)"),
      state_(system.backend, "state"),
      status_(system.backend, "status"),
      tests_(system.backend, {1024, most_tests / 1024}, Element::real, "tests"),
      iterate_(system.backend) {
    compute_residuals_in(spare_, partial_);
}

/// With an odd number of passes over each storage.
void PlainIteration::touch_all() {
    fill(y_, 0);
    fill(b_, 0);
    clear(0);
    restart(1);
    for (const std::int64_t i : {std::int64_t{0}, std::int64_t{test_every_} - 1}) iteration(i);
    ended(0);
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
    system().backend.encode(
        pass::step_control{.state = state_,
                           .status = status_,
                           .sums = sums_,
                           .steps = steps,
                           .limit = static_cast<std::int32_t>(longest_run_),
                           .target = target_,
                           .norm = static_cast<float>(system().infinity_norm),
                           .tolerated = tolerated_drift(fixed() || system().backend.holds_doubles())});
    if (tests_done_ < most_tests) record(tests_, tests_done_++, state_);
}

void PlainIteration::encode_run(const DeviceRun& run, DeviceResiduals& ends) {
    first_ = 0;
    longest_run_ = std::min({run.iterations, countable, std::int64_t{most_tests} * test_every_});
    target_ = run.target;
    ends.restart(b_, nullptr, 1);
    fill(y_, 0);
    clear(0);  // the first test says how large the residual is
    restart(0);
    iterate_.encode(status_, longest_run_, run.look, [&](std::int64_t i) { iteration(i); });
    ends.correct(y_, nullptr, b_, 1);
}

std::int64_t PlainIteration::patience(int test_every) {
    return std::max<std::int64_t>(10000, 40 * std::int64_t{test_every});
}

void PlainIteration::run(Refinement& refinement, StoppingCriterion& judgement) {
    if (why_not().empty() || judgement.final()) return CorrectedMethod::run(refinement, judgement);
    judgement.broke_down(why_not());
    judgement.corrected({.iterations = judgement.iterations()});
}

void PlainIteration::prepare(Column& column, int /*k*/) {
    const double s = column.scale.s;
    target_ = fixed() ? 0 : column.scale.target;
    column.refinement.restart(b_, nullptr, s);
    fill(y_, 0);
    clear(column.scale.size);
    restart(s_ > 0 ? s / s_ : 0);
    s_ = s;
}

void PlainIteration::iterate(std::span<Column> columns) {
    Column& one = columns.front();
    first_ = one.first;
    one.look = run_with_looks(one);
    ended(one.steps());
    know(one.look, one.first);
}

/// What diverges has lost what it has made since the last correction.
void PlainIteration::apply_correction(Column& column, int /*k*/) {
    if (column.look.stop == Stop::diverged || column.look.stop == Stop::not_finite) {
        const std::string why = diverged();
        if (!why.empty()) column.judgement.diverged(why);
    } else {
        column.refinement.correct(y_, nullptr, b_, column.scale.s);
    }
}

/// A run, at most twice as long as it should take; ends where the method begins anew, since it was too slow.
StatusLook PlainIteration::run_with_looks(Column& column) {
    const std::int64_t first = column.first;
    const auto body = [&](std::int64_t i) { iteration(i); };
    if (fixed()) {
        longest_run_ = limit() - first;
        return iterate_.run_all(status_, first, longest_run_, body);
    }
    longest_run_ = std::min({limit() - first, std::max<std::int64_t>(2 * run_length(), 16 * test_every_), countable,
                             std::int64_t{most_tests} * test_every_});
    StatusLook mark;
    return iterate_.run(status_, first, longest_run_, body, [&](const StatusLook& seen) {
        StoppingCriterion& judgement = column.judgement;
        const double relative = seen.residual * column.scale.to_relative;
        if (!judgement.observe({seen.iterations, relative, judgement.corrections()})) return false;
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
    system().backend.read(tests_.id(), texels);
    std::vector<double> residuals(static_cast<std::size_t>(look.iterations - first), History::unknown);
    const std::int64_t recorded = std::min<std::int64_t>(std::ssize(residuals), std::int64_t{most_tests} * test_every_);
    for (std::int64_t i = test_every_ - 1; i < recorded + test_every_ - 1; i += test_every_) {
        const auto at = static_cast<std::size_t>(std::min<std::int64_t>(i, std::ssize(residuals) - 1));
        residuals[at] = static_cast<double>(texels[static_cast<std::size_t>(i / test_every_) * 4 + 3]);
    }
    history().know(first, residuals);
}

}  // namespace glsolve::inline v0_1
