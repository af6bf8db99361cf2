// BiCGStab, preconditioned from the right, in single precision with corrections from double precision.
//
// Source:  H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992); Y. Saad, Iterative Methods for Sparse Linear
// Systems,
//          2nd ed., algorithm 7.7. A correction begins anew, with the true residual as the new shadow residual.
// Cost:    per iteration two products and seven passes, three sums: 9 passes + 3 reduction trees; the preconditioner's
// own
//          passes come on top, but for a diagonal. In vector lengths, beside the products: the direction reads r, p, v
//          and writes p, u; the half step reads r, v and writes s, w; the sums read r0, v and t, s; the update reads y,
//          r, u, w, s, t, r0 and writes y, r. Nothing is read back.
//
// The device works on  S A S y = s S r  for the residual r of the last correction, as conjugate gradients do.
#include "solvers/bicgstab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/iterate.hpp"
#include "core/reductions.hpp"
#include "core/verbs.hpp"
#include "solvers/history.hpp"
#include "solvers/judgement.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t countable = std::int64_t{1} << 23;  // iterations of a run: a float counts them exactly
constexpr int patience = 8;                                // breakdowns in a row that have gained nothing

class BiCgStab final : public IterativeMethod {
  public:
    BiCgStab(const System& system, std::int64_t max_iterations);
    void solve(Correction& truth, const Options& options, Report& report) override;
    void encode_iterations(std::int64_t count) override {
        for (std::int64_t i = 0; i < count; ++i) iteration(i);
    }

  private:
    void warm_up();
    void begin();
    void iteration(std::int64_t i);
    void direction();
    void half_step();
    void product(Vector& y, const Vector& x);
    void products();
    void update();
    void control();
    void run(Refinement& refinement, Judgement& judgement);

    const Vector* diagonal() const { return system_.M != nullptr ? system_.M->diagonal() : nullptr; }

    System system_;
    std::int64_t limit_;
    std::int64_t longest_run_ = 0;  // iterations after which the device stops in any case
    float target_ = 0;              // |r| that predicts convergence

    Vector y_, r_, shadow_, p_, v_, s_, t_;
    std::optional<Vector> own_u_, own_w_;  // M^-1 p and M^-1 s; without a preconditioner they are p and s
    Vector &u_, &w_;
    std::optional<Vector> low_;  // in two floats: of products
    PartialSums partial_;
    Reductions reductions_;
    std::optional<DeviceResiduals> residuals_;  // none: the host computes them
    Scalar sigma_, products_, sums_, shadow_square_, rho_, factors_, state_, status_;
    History history_;
    Iterate iterate_;
};

BiCgStab::BiCgStab(const System& system, std::int64_t max_iterations)
    : system_(system),
      limit_(max_iterations),
      y_(system.backend, system.size, "y"),
      r_(system.backend, system.size, "r"),
      shadow_(system.backend, system.size, "r0"),
      p_(system.backend, system.size, "p"),
      v_(system.backend, system.size, "v"),
      s_(system.backend, system.size, "s"),
      t_(system.backend, system.size, "t"),
      own_u_(system.M ? std::optional<Vector>(std::in_place, system.backend, system.size, "u") : std::nullopt),
      own_w_(system.M ? std::optional<Vector>(std::in_place, system.backend, system.size, "w") : std::nullopt),
      u_(own_u_ ? *own_u_ : p_),
      w_(own_w_ ? *own_w_ : s_),
      partial_(system.backend, y_.layout().extent()),
      reductions_(system.backend, system.size),
      sigma_(system.backend, "(r0,v)"),
      products_(system.backend, "(t,s), (t,t)"),
      sums_(system.backend, "(r0,r), (r,r), (y,y)"),
      shadow_square_(system.backend, "(r0,r0)"),
      rho_(system.backend, "rho"),
      factors_(system.backend, "beta, omega"),
      state_(system.backend, "state"),
      status_(system.backend, "status"),
      history_(system.backend, max_iterations),
      iterate_(system.backend) {
    if (system.precision == Precision::two_float) low_.emplace(system.backend, system.size, "A u, low");
    if (system.residuals_on_device) residuals_.emplace(system.A, system.scale, t_, partial_);
    warm_up();
}

/// Runs every pass on zeros: shaders are compiled and textures allocated before the first solve. Twice, with an odd
/// number of passes over each storage in between: one that is read and written has two textures.
void BiCgStab::warm_up() {
    for (int twice = 0; twice < 2; ++twice) {
        for (Vector* v : {&y_, &r_, &p_, &v_}) fill(*v, 0);
        begin();
        iteration(0);
        begin();
    }
    system_.backend.flush();
}

/// The residual in r is its own shadow.
void BiCgStab::begin() {
    fill(y_, 0);
    copy(shadow_, r_);
    reductions_.dot(shadow_square_, r_, r_);
    system_.backend.encode({.pass = PassId::bicgstab_restart,
                            .output = {state_.id(), rho_.id(), factors_.id(), status_.id()},
                            .input = {shadow_square_.id()}});
}

/// One iteration, as in the textbook but for the order: the direction comes first.
void BiCgStab::iteration(std::int64_t i) {
    direction();                           // p        <- r + beta (p - omega v),  u <- M^-1 p
    product(v_, u_);                       // v        <- A u
    reductions_.dot(sigma_, shadow_, v_);  // sigma    <- (r0,v)
    half_step();                           // s        <- r - (rho/sigma) v,  w <- M^-1 s
    product(t_, w_);                       // t        <- A w
    products();                            // products <- (t,s), (t,t)
    update();                              // y        <- y + alpha u + omega w,  r <- s - omega t,  sums
    control();                             // beta, omega, rho, stop?
    history_.record(i, state_);
}

void BiCgStab::direction() {
    PassCall call{.pass = PassId::bicgstab_direction,
                  .output = {p_.id()},
                  .input = {p_.id(), r_.id(), v_.id()},
                  .scalar = {scalar_arg(factors_)},
                  .status = status_.id()};
    if (const Vector* d = diagonal()) {
        call.pass = PassId::bicgstab_direction_jacobi;
        call.output[1] = u_.id();
        call.input[3] = d->id();
    }
    system_.backend.encode(call);
    if (system_.M && !diagonal()) system_.M->apply(u_, p_);
}

void BiCgStab::half_step() {
    PassCall call{.pass = PassId::bicgstab_half,
                  .output = {s_.id()},
                  .input = {r_.id(), v_.id()},
                  .scalar = {scalar_arg(rho_, sigma_)}};
    if (const Vector* d = diagonal()) {
        call.pass = PassId::bicgstab_half_jacobi;
        call.output[1] = w_.id();
        call.input[2] = d->id();
    }
    system_.backend.encode(call);
    if (system_.M && !diagonal()) system_.M->apply(w_, s_);
}

void BiCgStab::product(Vector& y, const Vector& x) {
    if (low_) {
        system_.A.multiply_two_float(y, *low_, x, partial_);
    } else {
        system_.A.multiply(y, x);
    }
}

void BiCgStab::products() {
    system_.backend.encode({.pass = PassId::bicgstab_products, .output = {partial_.id()}, .input = {t_.id(), s_.id()}});
    sum(products_, partial_, Finish::keep_components);
}

void BiCgStab::update() {
    system_.backend.encode({.pass = PassId::bicgstab_update,
                            .output = {y_.id(), r_.id(), partial_.id()},
                            .input = {y_.id(), r_.id(), u_.id(), w_.id(), s_.id(), t_.id(), shadow_.id()},
                            .scalar = {scalar_arg(rho_, sigma_), scalar_arg(products_)},
                            .status = status_.id()});
    sum(sums_, partial_, Finish::keep_components);
}

void BiCgStab::control() {
    system_.backend.encode({.pass = PassId::bicgstab_control,
                            .output = {state_.id(), rho_.id(), factors_.id(), status_.id()},
                            .input = {state_.id(), rho_.id(), factors_.id(), status_.id(), sums_.id(), products_.id(),
                                      sigma_.id(), shadow_square_.id()},
                            .integer = {static_cast<std::int32_t>(longest_run_)},
                            .constant = {target_, static_cast<float>(system_.infinity_norm)},
                            .status = status_.id()});
}

void BiCgStab::solve(Correction& truth, const Options& options, Report& report) {
    history_.clear();
    Refinement refinement(truth, residuals_ ? &*residuals_ : nullptr, system_.why_on_host);
    Judgement judgement(truth, options, system_.size, limit_, false,
                        low_ ? JudgementRules{.arithmetic = "two floats"} : JudgementRules{});
    run(refinement, judgement);
    refinement.finish();
    judgement.report(report);
    refinement.report(report);
    report.history = history_.collect(report.iterations);
}

/// Iterates and corrects until it is over.
void BiCgStab::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    StatusLook look;
    int in_vain = 0;
    while (!judgement.final()) {
        const double s = truth.unit_scale(), before = truth.norm(), size = s * truth.scaled_norm();
        // The recurrence's |r| belongs to s S r; so many times as large is the relative residual.
        const double to_relative = truth.relative() / size;
        history_.corrected(look.iterations, to_relative, truth.relative());
        target_ = static_cast<float>(0.9 * truth.threshold() * size / before);
        refinement.restart(r_, nullptr, s);
        begin();
        longest_run_ =
            std::min({limit_ - look.iterations, judgement.patience() + 1, history_.room(look.iterations), countable});
        look = iterate_.run(
            status_, look.iterations, longest_run_, [&](std::int64_t i) { iteration(i); },
            [&](const StatusLook& seen) {
                return judgement.observe({seen.iterations, seen.residual * to_relative, judgement.corrections()});
            });

        // The correction: x <- x + S y / s,  r <- b - A x in double precision or in two floats.
        refinement.correct(y_, nullptr, r_, s);
        const bool broke_down = look.stop == Stop::breakdown || look.stop == Stop::not_finite;
        in_vain = broke_down && truth.norm() > 0.99 * before ? in_vain + 1 : 0;
        if (in_vain >= patience && !truth.met()) {
            judgement.broke_down(
                "the shadow residual becomes orthogonal again and again, also a new one: BiCGStab cannot "
                "solve this system; gmres may");
        }
        judgement.corrected(look);
    }
    history_.corrected(look.iterations, 0, truth.relative());
}

}  // namespace

std::unique_ptr<IterativeMethod> make_bicgstab(const System& system, std::int64_t max_iterations) {
    return std::make_unique<BiCgStab>(system, max_iterations);
}

}  // namespace glsolve::inline v0_1
