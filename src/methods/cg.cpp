// Conjugate gradients, preconditioned, in single precision with corrections from double precision.
//
// Source:  M. R. Hestenes and E. Stiefel, J. Res. Nat. Bur. Standards 49 (1952); Y. Saad, Iterative Methods for Sparse
//          Linear Systems, 2nd ed., algorithm 9.1. Corrections ("reliable updates"): H. A. van der Vorst and Q. Ye,
//          SIAM J. Sci. Comput. 22 (2000); M. A. Clark et al., Comput. Phys. Commun. 181 (2010).
//          Two floats, for ill-conditioned matrices: the recurrence's residual then hardly drifts from the true one.
// Cost:    per iteration one product and two passes over vectors, two sums, two passes over one texel:
//          5 passes + 2 reduction trees; a preconditioner that is no diagonal comes on top, with a tree and a pass. In
//          vector lengths: the product reads A, p and writes q and the terms of (p,q); the update reads y, p, r, q, d
//          and writes y, r, z and the terms of its sums; the direction reads z, p and writes p. Nothing is read back.
//          In two floats one pass more (x moves in a pass of its own), and the low parts of A, q, y and r.
#include "methods/cg.hpp"

#include <optional>

#include "device/verbs.hpp"
#include "methods/conjugate_gradients.hpp"
#include "methods/method_table.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

class Cg final : public ConjugateGradients {
  public:
    Cg(const System& system, std::int64_t max_iterations);

  private:
    /// Low parts of what is held in two floats; q = A p is made in them.
    struct LowParts {
        LowParts(Backend& backend, Index size)
            : y(backend, size, "y, low"), r(backend, size, "r, low"), q(backend, size, "q, low") {}
        Vector y, r, q;
    };

    void touch_all() override;
    void iteration(std::int64_t k) override;
    const Scalar& recorded() override { return state_; }
    void restart(Residuals& residuals, double s) override;
    double correct(Residuals& residuals, std::int64_t iterations, double s) override;
    const Vector& direction() const override { return p_; }
    void forget_scalars() override;
    void allocate_low_parts() override { low_.emplace(system().backend, system().size); }

    void precondition();
    void product();
    void update();
    void update_two_float(const LowParts& low);
    void control();
    void begin(float rescale, float keep_direction);

    Vector y_, r_, p_, q_;
    std::optional<Vector> own_z_;  // without a preconditioner z is r
    Vector& z_;
    std::optional<LowParts> low_;  // none: single precision
    Scalar pi_, sums_, rho_, beta_, state_, rz_, rr_;
    bool has_direction_ = false;  // for the residual that r holds
};

Cg::Cg(const System& system, std::int64_t max_iterations)
    : ConjugateGradients(system, max_iterations),
      y_(system.backend, system.size, "y"),
      r_(system.backend, system.size, "r"),
      p_(system.backend, system.size, "p"),
      q_(system.backend, system.size, "q"),
      own_z_(system.M ? std::optional<Vector>(std::in_place, system.backend, system.size, "z") : std::nullopt),
      z_(own_z_ ? *own_z_ : r_),
      pi_(system.backend, "(p,Ap)"),
      sums_(system.backend, "(r,z), (r,r), (y,y)"),
      rho_(system.backend, "rho"),
      beta_(system.backend, "beta"),
      state_(system.backend, "state"),
      rz_(system.backend, "(r,z)"),
      rr_(system.backend, "(r,r)") {
    begin_with(q_, partial());
}

void Cg::touch_all() {
    for (Vector* v : {&y_, &r_, &p_, &q_, &z_}) fill(*v, 0);
    if (low_) {
        for (Vector* v : {&low_->y, &low_->r, &low_->q}) fill(*v, 0);
    }
    forget_scalars();
    begin(0, 1);
    iteration(0);
    begin(0, 1);
}

void Cg::forget_scalars() {
    for (Scalar* s : {&rho_, &beta_, &state_, &status()}) fill(*s, 0);
}

/// One iteration, as in the textbook but for the order: x (here y) is updated together with r. A preconditioner that
/// takes passes of its own is applied when the next iteration begins, so that none is for the last one's residual.
void Cg::iteration(std::int64_t /*k*/) {
    if (system().applies_M() && !std::exchange(has_direction_, false)) precondition();
    product();                                       // q    <- A p
    sum(pi_, partial(), Finish::add_components);     // pi   <- (p,q)
    update();                                        // y    <- y + (rho/pi) p,  r <- r - (rho/pi) q,  z <- M^-1 r
    sum(sums_, partial(), Finish::keep_components);  // sums <- (r,z), (r,r), (y,y)
    control();                                       // beta <- (r,z)/rho,  rho <- (r,z),  stop?
    if (system().applies_M()) return;
    xpay(p_, z_, scalar_arg(beta_), status().id());  // p    <- z + beta p
}

/// z <- M^-1 r,  beta <- (r,z)/rho,  rho <- (r,z),  p <- z + beta p
void Cg::precondition() {
    cg_precondition(system(), z_, r_, reductions(), rz_, rho_, beta_, status().id());
    xpay(p_, z_, scalar_arg(beta_), status().id());
}

void Cg::product() {
    if (low_) {
        system().A.multiply_two_float(q_, low_->q, p_, partial());
    } else {
        system().A.multiply_dot(q_, p_, partial());
    }
}

void Cg::update() {
    if (low_) {
        update_two_float(*low_);
        return;
    }
    cg_update(system(), y_, r_, z_, partial(), p_, q_, scalar_arg(rho_, pi_), status().id());
}

void Cg::update_two_float(const LowParts& low) {
    const ScalarArg alpha = scalar_arg(rho_, pi_);
    const Vector* const d = system().diagonal();
    system().backend.encode(pass::cg_step_two_float{.y = y_, .y_low = low.y, .x = p_, .a = alpha, .status = status()});
    system().backend.encode(pass::cg_update_two_float{.r = r_,
                                                      .r_low = low.r,
                                                      .z = d != nullptr ? &z_ : nullptr,
                                                      .sum = partial(),
                                                      .q = q_,
                                                      .q_low = low.q,
                                                      .d = d,
                                                      .alpha = alpha,
                                                      .status = status()});
}

void Cg::control() {
    system().backend.encode(pass::cg_control{.state = state_,
                                             .rho = rho_,
                                             .beta = beta_,
                                             .status = status(),
                                             .sums = sums_,
                                             .pi = pi_,
                                             .limit = longest_run(),
                                             .rz_later = system().applies_M() ? 1 : 0,
                                             .target = target(),
                                             .norm = static_cast<float>(system().infinity_norm),
                                             .tolerated = tolerated_drift(low_.has_value())});
}

/// The device continues from the true residual: r <- s S r,  y <- 0,  p <- z + beta p.
void Cg::restart(Residuals& residuals, double s) {
    residuals.restart(r_, low_ ? &low_->r : nullptr, s);
    fill(y_, 0);
    if (low_) fill(low_->y, 0);
    if (!keeps_direction()) fill(p_, 0);
    begin(rescale(s), keeps_direction() ? 1.0f : 0.0f);
}

/// Sums and direction for the residual that r holds.
void Cg::begin(float rescale, float keep_direction) {
    if (system().M) system().M->apply(z_, r_);
    reductions().dot(rz_, r_, z_);
    reductions().dot(rr_, r_, r_);
    system().backend.encode(pass::cg_restart{.state = state_,
                                             .rho = rho_,
                                             .beta = beta_,
                                             .status = status(),
                                             .rz = rz_,
                                             .rr = rr_,
                                             .rescale = rescale,
                                             .keep = keep_direction});
    xpay(p_, z_, scalar_arg(beta_), status().id());
    has_direction_ = true;
}

double Cg::correct(Residuals& residuals, std::int64_t /*iterations*/, double s) {
    return residuals.correct(y_, low_ ? &low_->y : nullptr, r_, s);
}

}  // namespace

std::unique_ptr<IterativeMethod> make_cg(const System& system, std::int64_t max_iterations) {
    return std::make_unique<Cg>(system, max_iterations);
}

constinit const MethodRow cg_method{Method::cg,
                                    "cg",
                                    [](const MethodInput& in) { return make_cg(in.system, in.max_iterations); },
                                    {.symmetric = true, .symmetric_M = true, .varying_M = true, .products_only = true}};

}  // namespace glsolve::inline v0_1
