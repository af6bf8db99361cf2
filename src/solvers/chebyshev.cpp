// The Chebyshev iteration, in single precision with corrections from double precision.
//
// Source:  R. Barrett et al., Templates for the Solution of Linear Systems, SIAM 1994, figure 2.11, with the errata;
//          B. Chadov, Chebyshev iteration on the GPU (the forms).
// Cost:    a step is one pass, for the usual formats: the product's pass goes on with p and y. In vector lengths it
//          reads A, y, b, p, d and writes y, p. With each sixteenth step a sum, a reduction tree, and two passes over a
//          texel. As published (ChebyshevForm::published): four passes over vectors, a sum and its tree with each step.
//          Nothing is read back.
//
// The recurrence of p goes on through corrections: moving the origin of y changes nothing about it.
#include "solvers/chebyshev.hpp"

#include "core/verbs.hpp"
#include "solvers/plain_iteration.hpp"
#include "spectrum/chebyshev_bounds.hpp"

namespace glsolve::inline v0_1 {
namespace {

class Chebyshev final : public PlainIteration {
  public:
    Chebyshev(const System& system, const CsrMatrix& A, const ChebyshevOptions& options, int test_every,
              std::int64_t max_iterations)
        : PlainIteration(system, options.form == ChebyshevForm::published ? 1 : test_every, max_iterations),
          bounds_(system, A, options),
          p_(system.backend, system.size, "p") {
        if (options.form == ChebyshevForm::published || system.applies_M()) {
            r_.emplace(system.backend, system.size, "r");
            if (system.M != nullptr) z_.emplace(system.backend, system.size, "z");
        }
        warm_up();
    }

  private:
    void step(bool test) override {
        const Operator::Step coefficients = bounds_.next();
        if (r_) {
            published_step(coefficients, test);
        } else {
            fused_step(coefficients, test);
        }
    }
    void fused_step(Operator::Step step, bool test);
    void published_step(Operator::Step step, bool test);
    void restart(double rescale) override;
    void ended(std::int64_t steps) override { bounds_.rewind(steps); }
    std::int64_t run_length() const override { return bounds_.steps_for(1e-4); }
    std::string diverged() override { return bounds_.widen() ? "" : bounds_.why_not(); }
    bool too_slow(double factor) override { return bounds_.lower(factor); }
    std::string why_not() const override { return bounds_.why_not(); }
    std::string remarks() const override { return bounds_.remarks(); }

    ChebyshevBounds bounds_;
    Vector p_;
    std::optional<Vector> r_, z_;  // of the published form
};

/// p <- M^-1 (b - A y) + beta p,  y <- y + alpha p  in one pass.
void Chebyshev::fused_step(Operator::Step step, bool test) {
    system().A.chebyshev(y(), p_, b(), system().diagonal(), step, status(), test ? &partial() : nullptr);
    if (test) sum(sums(), partial(), Finish::keep_components);
}

/// The same as it is written, one operation after the other, with r = b - A y from the step before: also where M^-1
/// takes passes of its own.
void Chebyshev::published_step(Operator::Step step, bool test) {
    if (z_) system().M->apply(*z_, *r_);  // z <- M^-1 r
    const Vector& z = z_ ? *z_ : *r_;
    xpay(p_, z, scalar_arg(step.beta), status());     // p <- z + beta p
    axpy(y(), scalar_arg(step.alpha), p_, status());  // y <- y + alpha p
    system().A.residual(*r_, b(), y());               // r <- b - A y
    if (test) reductions().dot(sums(), *r_, *r_);
}

void Chebyshev::restart(double rescale) {
    if (rescale == 0) bounds_.begin();
    bounds_.begin_run();
    if (r_) copy(*r_, b());
    if (bounds_.is_fresh() || rescale == 0) {
        fill(p_, 0);
    } else {
        scale(p_, scalar_arg(static_cast<float>(rescale)), p_);
    }
}

}  // namespace

std::unique_ptr<IterativeMethod> make_chebyshev(const System& system, const CsrMatrix& A, const Options& options,
                                                std::int64_t max_iterations) {
    return std::make_unique<Chebyshev>(system, A, options.chebyshev, options.test_every, max_iterations);
}

}  // namespace glsolve::inline v0_1
