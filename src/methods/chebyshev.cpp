// The Chebyshev iteration, in single precision with corrections from double precision.
//
// Source:  R. Barrett et al., Templates for the Solution of Linear Systems, SIAM 1994, figure 2.11, with the errata;
//          B. Chadov, Chebyshev iteration on the GPU (the forms; the chaotic one is in chaotic_chebyshev.cpp).
// Cost:    a step is one pass, for the usual formats: the product's pass goes on with p and y. In vector lengths it
//          reads A, y, b, p, d and writes y, p. With each sixteenth step a sum, a reduction tree, and two passes over a
//          texel. As published (ChebyshevForm::published): four passes over vectors, a sum and its tree with each step.
//          Nothing is read back.
//
// The recurrence of p goes on through corrections: moving the origin of y changes nothing about it.
#include "methods/chebyshev.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

ChebyshevIteration::ChebyshevIteration(const MethodInput& in, int test_every, std::string instead)
    : PlainIteration(in.system, test_every, in.max_iterations),
      A_(in.system.A),
      bounds_(in.system, in.A, in.options.chebyshev),
      p_(in.system.backend, in.system.size, "p"),
      instead_(std::move(instead)) {}

void ChebyshevIteration::fused_step(AssembledMatrix::Step step, bool test) {
    A_.chebyshev(y(), p_, b(), system().diagonal(), step, status().id(), test ? &partial() : nullptr);
    if (test) sum(sums(), partial(), Finish::keep_components);
}

void ChebyshevIteration::restart(double rescale) {
    if (rescale == 0) bounds_.begin();
    bounds_.begin_run();
    if (bounds_.is_fresh()) {
        fill(p_, 0);
    } else {
        scale(p_, scalar_arg(static_cast<float>(rescale)), p_);
    }
}

std::string ChebyshevIteration::remarks() const {
    return instead_.empty() ? bounds_.remarks() : fmt::format("{}; not chaotic: {}", bounds_.remarks(), instead_);
}

namespace {

/// A step is one pass.
class Fused final : public ChebyshevIteration {
  public:
    Fused(const MethodInput& in, std::string instead)
        : ChebyshevIteration(in, in.options.test_every, std::move(instead)) {
        warm_up();
    }

  private:
    void step(bool test) override { fused_step(bounds().next(), test); }
};

/// As it is written, one operation after the other, with r = b - A y from the step before: also where M^-1 takes passes
/// of its own.
class Published final : public ChebyshevIteration {
  public:
    Published(const MethodInput& in, int test_every, std::string instead)
        : ChebyshevIteration(in, test_every, std::move(instead)), r_(in.system.backend, in.system.size, "r") {
        if (in.system.M != nullptr) z_.emplace(in.system.backend, in.system.size, "z");
        warm_up();
    }

  private:
    void step(bool test) override;
    void restart(double rescale) override {
        copy(r_, b());
        ChebyshevIteration::restart(rescale);
    }

    Vector r_;
    std::optional<Vector> z_;
};

void Published::step(bool test) {
    const AssembledMatrix::Step step = bounds().next();
    if (z_) system().M->apply(*z_, r_);  // z <- M^-1 r
    const Vector& z = z_ ? *z_ : r_;
    xpay(p(), z, scalar_arg(step.beta), status().id());     // p <- z + beta p
    axpy(y(), scalar_arg(step.alpha), p(), status().id());  // y <- y + alpha p
    system().A.residual(r_, b(), y());                      // r <- b - A y
    if (test) reductions().dot(sums(), r_, r_);
}

}  // namespace

std::unique_ptr<PlainIteration> make_chebyshev(const MethodInput& in) {
    const ChebyshevForm form = in.options.chebyshev.form;
    const bool chaotic = form == ChebyshevForm::chaotic;
    if (in.system.applies_M() || form == ChebyshevForm::published) {
        return std::make_unique<Published>(in, form == ChebyshevForm::published ? 1 : in.options.test_every,
                                           chaotic ? "the preconditioner takes passes of its own" : "");
    }
    const std::string why_not = chaotic ? why_not_chaotic(in) : "";
    if (chaotic && why_not.empty()) return make_chaotic_chebyshev(in);
    return std::make_unique<Fused>(in, why_not);
}

constinit const MethodRow chebyshev_method{
    Method::chebyshev,
    "chebyshev",
    [](const MethodInput& in) -> std::unique_ptr<IterativeMethod> { return make_chebyshev(in); },
    {.symmetric_M = true, .tests_at_intervals = true, .refuses_two_float = single_alone}};

}  // namespace glsolve::inline v0_1
