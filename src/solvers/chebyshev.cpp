// The Chebyshev iteration, in single precision with corrections from double precision.
//
// Source:  R. Barrett et al., Templates for the Solution of Linear Systems, SIAM 1994, figure 2.11, with the errata;
//          B. Chadov, Chebyshev iteration on the GPU (the forms). Adaptive bounds: L. A. Hageman and D. M. Young,
//          Applied Iterative Methods, Academic Press 1981, chapter 5.
// Cost:    a step is one pass, for the usual formats: the product's pass goes on with p and y. In vector lengths it
//          reads A, y, b, p, d and writes y, p. With each sixteenth step a sum, a reduction tree, and two passes over a
//          texel. As published (ChebyshevForm::published): four passes over vectors, a sum and its tree with each step.
//          Nothing is read back.
//
// The device works on  S A S y = s S r  for the residual r of the last correction. The recurrence of p goes on through
// corrections: moving the origin of y changes nothing about it.
#include "solvers/chebyshev.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/iterate.hpp"
#include "core/reductions.hpp"
#include "core/verbs.hpp"
#include "solvers/chebyshev_bounds.hpp"
#include "solvers/history.hpp"
#include "solvers/judgement.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_tests = 4096;                           // of a run, each of which is recorded
constexpr std::int64_t countable = std::int64_t{1} << 23;  // iterations of a run: a float counts them exactly

class Chebyshev final : public IterativeMethod {
  public:
    Chebyshev(const System& system, const CsrMatrix& A, const Options& options, std::int64_t max_iterations);
    void solve(Correction& truth, const Options& options, Report& report) override;
    void encode_iterations(std::int64_t count) override {
        for (std::int64_t i = 0; i < count; ++i) iteration(i);
    }

  private:
    void warm_up();
    void clear();
    void iteration(std::int64_t i);
    void fused_step(Operator::Step step, bool test);
    void published_step(Operator::Step step);
    void control(int steps);
    void run(Refinement& refinement, Judgement& judgement);
    StatusLook iterate(Judgement& judgement, std::int64_t first, double to_relative, bool& lowered);
    void know(const StatusLook& look, std::int64_t first);

    bool published() const { return options_.form == ChebyshevForm::published; }

    System system_;
    ChebyshevOptions options_;
    std::int64_t limit_;
    std::int64_t first_ = 0, longest_run_ = 0;  // of the run under way
    float target_ = 0;                          // |r| that predicts convergence

    ChebyshevBounds bounds_;
    Vector y_, b_, p_;
    std::optional<Vector> r_, z_;  // of the published form
    PartialSums partial_;
    Reductions reductions_;
    std::optional<DeviceResiduals> residuals_;  // none: the host computes them
    Scalar sums_, state_, status_;
    Storage tests_;  // the state at each test of a run
    int tests_done_ = 0;
    Vector spare_;
    History history_;
    Iterate iterate_;
};

Chebyshev::Chebyshev(const System& system, const CsrMatrix& A, const Options& options, std::int64_t max_iterations)
    : system_(system),
      options_(options.chebyshev),
      limit_(max_iterations),
      bounds_(system, A, options.chebyshev),
      y_(system.backend, system.size, "y"),
      b_(system.backend, system.size, "b"),
      p_(system.backend, system.size, "p"),
      partial_(system.backend, y_.layout().extent()),
      reductions_(system.backend, system.size),
      sums_(system.backend, "(r,r), (y,y)"),
      state_(system.backend, "state"),
      status_(system.backend, "status"),
      tests_(system.backend, {1024, most_tests / 1024}, Element::real, "tests"),
      spare_(system.backend, system.size, "spare"),
      history_(system.backend, 1),
      iterate_(system.backend) {
    if (published()) {
        options_.test_every = 1;
        r_.emplace(system.backend, system.size, "r");
        z_.emplace(system.backend, system.size, "z");
    }
    if (system.residuals_on_device) residuals_.emplace(system.A, system.scale, spare_, partial_);
    warm_up();
}

/// Runs every pass on zeros: shaders are compiled and textures allocated before the first solve. Twice, with an odd
/// number of passes over each storage in between: one that is read and written has two textures.
void Chebyshev::warm_up() {
    for (int twice = 0; twice < 2; ++twice) {
        for (Vector* v : {&y_, &b_, &p_}) fill(*v, 0);
        if (published()) fill(*r_, 0);
        clear();
        for (const std::int64_t i : {std::int64_t{0}, std::int64_t{options_.test_every} - 1}) iteration(i);
        scale(p_, scalar_arg(1), p_);
    }
    system_.backend.flush();
}

void Chebyshev::clear() {
    for (Scalar* s : {&state_, &status_}) fill(*s, 0);
    tests_done_ = 0;
}

/// Iteration i, tested where it is the last one or the last of `test_every`.
void Chebyshev::iteration(std::int64_t i) {
    const std::int64_t done = i - first_ + 1;
    const bool test = done % options_.test_every == 0 || done == longest_run_;
    const Operator::Step step = bounds_.next();
    if (published()) {
        published_step(step);
    } else {
        fused_step(step, test);
    }
    if (test) control(static_cast<int>((done - 1) % options_.test_every) + 1);
}

/// p <- M^-1 (b - A y) + beta p,  y <- y + alpha p  in one pass.
void Chebyshev::fused_step(Operator::Step step, bool test) {
    const Vector* d = system_.M != nullptr ? system_.M->diagonal() : nullptr;
    system_.A.chebyshev(y_, p_, b_, d, step, status_.id(), test ? &partial_ : nullptr);
    if (test) sum(sums_, partial_, Finish::keep_components);
}

/// The same as it is written, one operation after the other, with r = b - A y from the step before.
void Chebyshev::published_step(Operator::Step step) {
    if (system_.M != nullptr) {
        system_.M->apply(*z_, *r_);  // z <- M^-1 r
    }
    const Vector& z = system_.M != nullptr ? *z_ : *r_;
    xpay(p_, z, scalar_arg(step.beta), status_.id());    // p <- z + beta p
    axpy(y_, scalar_arg(step.alpha), p_, status_.id());  // y <- y + alpha p
    system_.A.residual(*r_, b_, y_);                     // r <- b - A y
    reductions_.dot(sums_, *r_, *r_);
}

void Chebyshev::control(int steps) {
    system_.backend.encode({.pass = PassId::chebyshev_control,
                            .output = {state_.id(), status_.id()},
                            .input = {state_.id(), status_.id(), sums_.id()},
                            .integer = {steps, static_cast<std::int32_t>(longest_run_)},
                            .constant = {target_, static_cast<float>(system_.infinity_norm)},
                            .status = status_.id()});
    if (tests_done_ < most_tests) record(tests_, tests_done_++, state_);
}

void Chebyshev::solve(Correction& truth, const Options& options, Report& report) {
    history_.clear();
    Refinement refinement(truth, residuals_ ? &*residuals_ : nullptr, system_.why_on_host);
    // The bounds may turn out to be wrong, and what is done until then counts, too.
    const std::int64_t patience = std::max<std::int64_t>(10000, 40 * std::int64_t{options_.test_every});
    Judgement judgement(truth, options, system_.size, limit_, false, {.least_patience = patience});
    if (!bounds_.usable() && !judgement.final()) {
        judgement.broke_down(bounds_.why_not());
    } else {
        run(refinement, judgement);
    }
    refinement.finish();
    judgement.report(report);
    refinement.report(report);
    report.remarks = bounds_.remarks();
    report.history = history_.collect(report.iterations);
}

/// Iterates and corrects until it is over.
void Chebyshev::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    bounds_.begin();
    StatusLook look;
    double s_before = 0;
    while (!judgement.final()) {
        const double s = truth.unit_scale(), size = s * truth.scaled_norm();
        const double to_relative = truth.relative() / size;
        history_.corrected(look.iterations, to_relative, truth.relative());
        target_ = static_cast<float>(0.9 * truth.threshold() * size / truth.norm());
        refinement.restart(b_, nullptr, s);
        fill(y_, 0);
        if (published()) copy(*r_, b_);
        if (bounds_.is_fresh()) {
            fill(p_, 0);
        } else {
            scale(p_, scalar_arg(static_cast<float>(s / s_before)), p_);
        }
        clear();
        s_before = s;

        const std::int64_t first = look.iterations, steps = bounds_.steps();
        bool lowered = false;
        look = iterate(judgement, first, to_relative, lowered);
        if (!lowered) bounds_.rewind(steps + look.iterations - first);
        know(look, first);
        if (look.stop == Stop::diverged || look.stop == Stop::not_finite) {
            if (!bounds_.widen()) judgement.broke_down(bounds_.why_not());
        } else {
            // The correction: x <- x + S y / s,  r <- b - A x in double precision or in two floats.
            refinement.correct(y_, nullptr, b_, s);
        }
        judgement.corrected(look);
    }
    history_.corrected(look.iterations, 0, truth.relative());
}

/// A run, at most twice as long as theory says that it takes to what a correction needs; ends where its bounds are
/// improved.
StatusLook Chebyshev::iterate(Judgement& judgement, std::int64_t first, double to_relative, bool& lowered) {
    first_ = first;
    longest_run_ =
        std::min({limit_ - first, std::max<std::int64_t>(2 * bounds_.steps_for(1e-4), 16 * options_.test_every),
                  countable, std::int64_t{most_tests} * options_.test_every});
    StatusLook mark;
    return iterate_.run(
        status_, first, longest_run_, [&](std::int64_t i) { iteration(i); },
        [&](const StatusLook& seen) {
            if (!judgement.observe({seen.iterations, seen.residual * to_relative, judgement.corrections()}))
                return false;
            if (seen.stop != Stop::running || seen.iterations == first) return true;
            if (mark.residual == 0) mark = seen;
            const std::int64_t steps = seen.iterations - mark.iterations;
            if (steps < std::max<std::int64_t>(bounds_.steps_for(0.05), 4 * options_.test_every)) return true;
            const double factor = std::pow(seen.residual / mark.residual, 1.0 / static_cast<double>(steps));
            mark = seen;
            lowered = bounds_.lower(factor);
            return !lowered;
        });
}

/// Tells the history what the tests of a run have found.
void Chebyshev::know(const StatusLook& look, std::int64_t first) {
    std::vector<float> texels(static_cast<std::size_t>(most_tests) * 4);
    system_.backend.read(tests_.id(), texels);
    std::vector<double> residuals(static_cast<std::size_t>(look.iterations - first), History::unknown);
    for (std::int64_t i = options_.test_every - 1; i < std::ssize(residuals) + options_.test_every - 1;
         i += options_.test_every) {
        const auto at = static_cast<std::size_t>(std::min<std::int64_t>(i, std::ssize(residuals) - 1));
        residuals[at] = static_cast<double>(texels[static_cast<std::size_t>(i / options_.test_every) * 4 + 3]);
    }
    history_.know(first, residuals);
}

}  // namespace

std::unique_ptr<IterativeMethod> make_chebyshev(const System& system, const CsrMatrix& A, const Options& options,
                                                std::int64_t max_iterations) {
    return std::make_unique<Chebyshev>(system, A, options, max_iterations);
}

}  // namespace glsolve::inline v0_1
