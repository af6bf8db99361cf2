// The Chebyshev iteration, in single precision with corrections from double precision.
//
// Source:  R. Barrett et al., Templates for the Solution of Linear Systems, SIAM 1994, figure 2.11, with the errata;
//          B. Chadov, Chebyshev iteration on the GPU (the forms).
// Cost:    a step is one pass, for the usual formats: the product's pass goes on with p and y. In vector lengths it
//          reads A, y, b, p, d and writes y, p. With each sixteenth step a sum, a reduction tree, and two passes over a
//          texel. As published (ChebyshevForm::published): four passes over vectors, a sum and its tree with each step.
//          Chaotic: several steps are one pass, which reads A for each of them, p, b and d from caches where these can
//          hold a tile. Nothing is read back.
//
// The chaotic form: within a pass no tile waits for another, so that what a step reads beside its tile belongs to some
// step before or after. Two steps of each run wait for all: its first, and each that is tested.
//
// The recurrence of p goes on through corrections: moving the origin of y changes nothing about it.
#include "solvers/chebyshev.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device/verbs.hpp"
#include "solvers/method_table.hpp"
#include "solvers/plain_iteration.hpp"
#include "spectrum/chebyshev_bounds.hpp"

namespace glsolve::inline v0_1 {
namespace {

class Chebyshev final : public PlainIteration {
  public:
    Chebyshev(const AssembledSystem& system, const CsrMatrix& A, const ChebyshevOptions& options, int test_every,
              std::int64_t max_iterations)
        : PlainIteration(system, options.form == ChebyshevForm::published ? 1 : test_every, max_iterations),
          form_(options.form),
          A_(system.A),
          chaotic_steps_(std::min(options.chaotic_steps, test_every - 1)),
          bounds_(system, A, options),
          p_(system.backend, system.size, "p") {
        if (system.applies_M()) {
            if (form_ == ChebyshevForm::chaotic) instead_ = "the preconditioner takes passes of its own";
            form_ = ChebyshevForm::published;
        }
        if (form_ == ChebyshevForm::published) {
            r_.emplace(system.backend, system.size, "r");
            if (system.M != nullptr) z_.emplace(system.backend, system.size, "z");
        }
        if (form_ == ChebyshevForm::chaotic && (chaotic_steps_ == 0 || !system.A.has_chaotic_steps())) {
            form_ = ChebyshevForm::fused;
            instead_ =
                system.A.has_chaotic_steps() ? "each step is tested" : "a product with this format is several passes";
        }
        warm_up();
        if (form_ == ChebyshevForm::chaotic) warm_up_chaotic();
    }

  private:
    void step(bool test) override {
        const AssembledMatrix::Step coefficients = bounds_.next();
        switch (form_) {
            case ChebyshevForm::fused:
                return fused_step(coefficients, test);
            case ChebyshevForm::published:
                return published_step(coefficients, test);
            case ChebyshevForm::chaotic:
                return chaotic_step(coefficients, test);
        }
    }
    void fused_step(AssembledMatrix::Step step, bool test);
    void published_step(AssembledMatrix::Step step, bool test);
    void chaotic_step(AssembledMatrix::Step step, bool test);
    void take_chaotic_steps();
    void warm_up_chaotic();
    void restart(double rescale) override;
    void ended(std::int64_t steps) override {
        together_.clear();
        bounds_.rewind(steps);
    }
    std::int64_t run_length() const override { return bounds_.steps_for(1e-4); }
    std::string diverged() override;
    bool too_slow(double factor) override;
    std::string why_not() const override { return bounds_.why_not(); }
    std::string remarks() const override;

    ChebyshevForm form_;
    std::string instead_;  // why it is not the one that was asked for
    AssembledMatrix& A_;
    int chaotic_steps_;
    ChebyshevBounds bounds_;
    Vector p_;
    std::optional<Vector> r_, z_;                  // of the published form
    std::vector<AssembledMatrix::Step> together_;  // of the chaotic form: the next pass
    bool settles_ = true;                          // the bounds are new
    bool begins_ = true;                           // with a step that waits for all
};

/// p <- M^-1 (b - A y) + beta p,  y <- y + alpha p  in one pass.
void Chebyshev::fused_step(AssembledMatrix::Step step, bool test) {
    A_.chebyshev(y(), p_, b(), system().diagonal(), step, status().id(), test ? &partial() : nullptr);
    if (test) sum(sums(), partial(), Finish::keep_components);
}

/// The same as it is written, one operation after the other, with r = b - A y from the step before: also where M^-1
/// takes passes of its own.
void Chebyshev::published_step(AssembledMatrix::Step step, bool test) {
    if (z_) system().M->apply(*z_, *r_);  // z <- M^-1 r
    const Vector& z = z_ ? *z_ : *r_;
    xpay(p_, z, scalar_arg(step.beta), status().id());     // p <- z + beta p
    axpy(y(), scalar_arg(step.alpha), p_, status().id());  // y <- y + alpha p
    system().A.residual(*r_, b(), y());                    // r <- b - A y
    if (test) reductions().dot(sums(), *r_, *r_);
}

/// The same, chaotic_steps_ of them in a pass that nobody waits in.
void Chebyshev::chaotic_step(AssembledMatrix::Step step, bool test) {
    if (begins_ || test) {
        take_chaotic_steps();
        fused_step(step, test);
        begins_ = false;
        return;
    }
    together_.push_back(step);
    if (std::ssize(together_) == chaotic_steps_) take_chaotic_steps();
}

void Chebyshev::take_chaotic_steps() {
    if (together_.empty()) return;
    A_.chebyshev_chaotic(y(), p_, b(), system().diagonal(), together_, status().id());
    together_.clear();
}

/// Compiles what the first and the last step of a run do not need.
void Chebyshev::warm_up_chaotic() {
    together_ = {{}};
    take_chaotic_steps();
    system().backend.flush();
}

/// Too small a `largest` is the usual reason; where that cannot be, or the chaotic form has mended it in vain, ...
std::string Chebyshev::diverged() {
    const bool mended = form_ == ChebyshevForm::chaotic && bounds_.widest() ? bounds_.shorten() : bounds_.widen();
    return mended ? "" : bounds_.why_not();
}

/// At the seams of its tiles the chaotic form makes a rough residual, which hides for a while how fast it is: so it
/// looks a second time, and trusts what it sees less.
bool Chebyshev::too_slow(double factor) {
    if (form_ != ChebyshevForm::chaotic) return bounds_.lower(factor);
    return !std::exchange(settles_, false) && factor < 1 && bounds_.lower(factor, 0.25);
}

std::string Chebyshev::remarks() const {
    std::string text = bounds_.remarks();
    if (!instead_.empty()) text += fmt::format("; not chaotic: {}", instead_);
    if (form_ == ChebyshevForm::chaotic) {
        text += fmt::format("; chaotic, {} steps a pass: {}", chaotic_steps_,
                            system().backend.can().bands
                                ? "bands of rows one after the other, with stale values beside them; other devices "
                                  "have other bands, and other results"
                                : "nobody waits for values of others, and results differ from run to run");
    }
    return text;
}

void Chebyshev::restart(double rescale) {
    begins_ = true;
    if (rescale == 0) bounds_.begin();
    bounds_.begin_run();
    if (r_) copy(*r_, b());
    settles_ = bounds_.is_fresh();
    if (bounds_.is_fresh() || rescale == 0) {
        fill(p_, 0);
    } else {
        scale(p_, scalar_arg(static_cast<float>(rescale)), p_);
    }
}

}  // namespace

std::unique_ptr<PlainIteration> make_chebyshev(const MethodInput& in) {
    return std::make_unique<Chebyshev>(in.system, in.A, in.options.chebyshev, in.options.test_every, in.max_iterations);
}

constinit const MethodRow chebyshev_method{
    Method::chebyshev,
    "chebyshev",
    [](const MethodInput& in) -> std::unique_ptr<IterativeMethod> { return make_chebyshev(in); },
    {.symmetric_M = true, .refuses_two_float = single_alone}};

}  // namespace glsolve::inline v0_1
