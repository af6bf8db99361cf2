// Conjugate gradients, preconditioned, in single precision with corrections from double precision.
//
// Source:  M. R. Hestenes and E. Stiefel, J. Res. Nat. Bur. Standards 49 (1952); Y. Saad, Iterative Methods for Sparse
//          Linear Systems, 2nd ed., algorithm 9.1. Corrections ("reliable updates"): H. A. van der Vorst and Q. Ye,
//          SIAM J. Sci. Comput. 22 (2000); M. A. Clark et al., Comput. Phys. Commun. 181 (2010).
//          Two floats, for ill-conditioned matrices: the recurrence's residual then hardly drifts from the true one.
// Cost:    per iteration one product and two passes over vectors, two sums, two passes over one texel:
//          5 passes + 2 reduction trees. In vector lengths: the product reads A, p and writes q and the terms of (p,q);
//          the update reads y, p, r, q, d and writes y, r, z and the terms of its sums; the direction reads z, p and
//          writes p. Nothing is read back. In two floats one pass more (x moves in a pass of its own), and the low
//          parts of A, q, y and r.
//
// The device works on  S A S y = s S r  for the residual r of the last correction: S holds powers of two that bring the
// diagonal near 1, s is the power of two that makes the right-hand side of length about 1.
#include "solvers/cg.hpp"

#include <algorithm>
#include <optional>

#include "core/iterate.hpp"
#include "core/reductions.hpp"
#include "core/verbs.hpp"
#include "solvers/cg_step.hpp"
#include "solvers/history.hpp"
#include "solvers/precision_change.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t countable = std::int64_t{1} << 23;  // iterations of a run: a float counts them exactly

class Cg final : public IterativeMethod {
  public:
    Cg(const System& system, std::int64_t max_iterations);
    void solve(Correction& truth, const Options& options, Report& report) override;
    void take_up() override { takes_up_ = true; }
    void encode_iterations(std::int64_t count) override {
        for (std::int64_t i = 0; i < count; ++i) iteration(i);
    }

  private:
    /// Low parts of what is held in two floats; q = A p is made in them.
    struct LowParts {
        LowParts(Backend& backend, Index size)
            : y(backend, size, "y, low"), r(backend, size, "r, low"), q(backend, size, "q, low") {}
        Vector y, r, q;
    };

    void iteration(std::int64_t i);
    void product();
    void update();
    void update_two_float(const LowParts& low);
    void control();
    void restart(Refinement& refinement, double rescale, bool keep_direction);
    void run(Refinement& refinement, Judgement& judgement);
    void begin(float rescale, float keep_direction);
    void warm_up();
    void clear_scalars();

    System system_;
    std::int64_t limit_;
    std::int64_t longest_run_ = 0;  // iterations after which the device stops in any case
    float target_ = 0;              // |r| that predicts convergence

    Vector y_, r_, p_, q_;
    std::optional<Vector> own_z_;  // without a preconditioner z is r
    Vector& z_;
    std::optional<LowParts> low_;  // none: single precision
    PartialSums partial_;
    Reductions reductions_;
    std::optional<DeviceResiduals> residuals_;  // none: the host computes them
    Scalar pi_, sums_, rho_, beta_, state_, status_, rz_, rr_;
    History history_;
    Iterate iterate_;

    bool takes_up_ = false;
    double s_ = 0;                  // that the vectors on the device are scaled by
    bool keeps_direction_ = false;  // p is worth keeping through the next correction ...
    double norm_of_direction_ = 0;  // ... where this is the true |r|
};

Cg::Cg(const System& system, std::int64_t max_iterations)
    : system_(system),
      limit_(max_iterations),
      y_(system.backend, system.size, "y"),
      r_(system.backend, system.size, "r"),
      p_(system.backend, system.size, "p"),
      q_(system.backend, system.size, "q"),
      own_z_(system.M ? std::optional<Vector>(std::in_place, system.backend, system.size, "z") : std::nullopt),
      z_(own_z_ ? *own_z_ : r_),
      partial_(system.backend, y_.layout().extent()),
      reductions_(system.backend, system.size),
      pi_(system.backend, "(p,Ap)"),
      sums_(system.backend, "(r,z), (r,r), (y,y)"),
      rho_(system.backend, "rho"),
      beta_(system.backend, "beta"),
      state_(system.backend, "state"),
      status_(system.backend, "status"),
      rz_(system.backend, "(r,z)"),
      rr_(system.backend, "(r,r)"),
      history_(system.backend, max_iterations),
      iterate_(system.backend) {
    if (system.precision == Precision::two_float) low_.emplace(system.backend, system.size);
    if (system.residuals_on_device) residuals_.emplace(system.A, system.scale, q_, partial_);
    warm_up();
}

/// Runs every pass on zeros, stopped: shaders are compiled and textures allocated before the first solve. Twice, with
/// an odd number of passes over each storage in between: one that is read and written has two textures.
void Cg::warm_up() {
    for (int twice = 0; twice < 2; ++twice) {
        for (Vector* v : {&y_, &r_, &p_, &q_, &z_}) fill(*v, 0);
        if (low_) {
            for (Vector* v : {&low_->y, &low_->r, &low_->q}) fill(*v, 0);
        }
        clear_scalars();
        begin(0, 1);
        iteration(0);
        begin(0, 1);
    }
    system_.backend.flush();
}

void Cg::clear_scalars() {
    for (Scalar* s : {&rho_, &beta_, &state_, &status_}) fill(*s, 0);
}

/// One iteration, as in the textbook but for the order: x (here y) is updated together with r.
void Cg::iteration(std::int64_t i) {
    product();                                      // q    <- A p
    sum(pi_, partial_, Finish::add_components);     // pi   <- (p,q)
    update();                                       // y    <- y + (rho/pi) p,  r <- r - (rho/pi) q,  z <- M^-1 r
    sum(sums_, partial_, Finish::keep_components);  // sums <- (r,z), (r,r), (y,y)
    control();                                      // beta <- (r,z)/rho,  rho <- (r,z),  stop?
    history_.record(i, state_);
    xpay(p_, z_, scalar_arg(beta_), status_.id());  // p    <- z + beta p
}

void Cg::product() {
    if (low_) {
        system_.A.multiply_two_float(q_, low_->q, p_, partial_);
    } else {
        system_.A.multiply_dot(q_, p_, partial_);
    }
}

void Cg::update() {
    if (low_) {
        update_two_float(*low_);
        return;
    }
    cg_update(system_, y_, r_, z_, partial_, p_, q_, scalar_arg(rho_, pi_), status_.id());
}

void Cg::update_two_float(const LowParts& low) {
    system_.backend.encode({.pass = PassId::cg_step_two_float,
                            .output = {y_.id(), low.y.id()},
                            .input = {y_.id(), low.y.id(), p_.id()},
                            .scalar = {scalar_arg(rho_, pi_)},
                            .status = status_.id()});
    PassCall call{.pass = PassId::cg_update_two_float,
                  .output = {r_.id(), low.r.id(), partial_.id()},
                  .input = {r_.id(), low.r.id(), q_.id(), low.q.id()},
                  .scalar = {scalar_arg(rho_, pi_)},
                  .status = status_.id()};
    if (system_.M) {
        call.pass = PassId::cg_update_two_float_jacobi;
        call.output = {r_.id(), low.r.id(), z_.id(), partial_.id()};
        call.input[4] = system_.M->diagonal()->id();
    }
    system_.backend.encode(call);
}

void Cg::control() {
    system_.backend.encode({.pass = PassId::cg_control,
                            .output = {state_.id(), rho_.id(), beta_.id(), status_.id()},
                            .input = {state_.id(), rho_.id(), beta_.id(), status_.id(), sums_.id(), pi_.id()},
                            .integer = {static_cast<std::int32_t>(longest_run_), low_ ? 1 : 0},
                            .constant = {target_, static_cast<float>(system_.infinity_norm)},
                            .status = status_.id()});
}

/// The device continues from the true residual: r <- s S r,  y <- 0,  p <- z + beta p.
void Cg::restart(Refinement& refinement, double rescale, bool keep_direction) {
    const Correction& truth = refinement.truth();
    const double s = truth.unit_scale();
    refinement.restart(r_, low_ ? &low_->r : nullptr, s);
    // The recurrence's |r| is worth this much: |r| / s in the norm of S, times |r64| / |S r64|.
    target_ = static_cast<float>(0.9 * truth.threshold() * s * truth.scaled_norm() / truth.norm());

    fill(y_, 0);
    if (low_) fill(low_->y, 0);
    if (!keep_direction) fill(p_, 0);
    begin(static_cast<float>(rescale), keep_direction ? 1.0f : 0.0f);
}

/// Sums and direction for the residual that r holds.
void Cg::begin(float rescale, float keep_direction) {
    if (system_.M) system_.M->apply(z_, r_);
    reductions_.dot(rz_, r_, z_);
    reductions_.dot(rr_, r_, r_);
    system_.backend.encode({.pass = PassId::cg_restart,
                            .output = {state_.id(), rho_.id(), beta_.id(), status_.id()},
                            .input = {rho_.id(), rz_.id(), rr_.id()},
                            .constant = {rescale, keep_direction}});
    xpay(p_, z_, scalar_arg(beta_), status_.id());
}

void Cg::solve(Correction& truth, const Options& options, Report& report) {
    history_.clear();
    if (s_ == 0 || !takes_up_) {
        takes_up_ = false;
        clear_scalars();
    }
    // Two floats need few corrections, and these must be better than two floats are.
    Refinement refinement(truth, residuals_ && !low_ ? &*residuals_ : nullptr,
                          low_ ? "the iteration is in two floats" : system_.why_on_host);
    // Matrices that need two floats have long plateaus; where there is something better to go on with, patience is
    // short.
    const JudgementRules two_floats{.arithmetic = "two floats", .patience = 24};
    const bool may_change = !low_ && options.precision == Precision::automatic && system_.why_on_host.empty();
    run_with_change(
        refinement, report,
        {.allowed = may_change,
         .first = low_ ? two_floats : JudgementRules{.patience = may_change ? 1 : JudgementRules{}.patience},
         .second = two_floats,
         // In exact arithmetic conjugate gradients end after n iterations, for symmetric matrices.
         .judge =
             [&](const JudgementRules& rules) {
                 return Judgement(truth, options, system_.size, limit_, system_.symmetric, rules);
             },
         .run = [&](Judgement& judgement) { run(refinement, judgement); },
         .change =
             [&] {
                 low_.emplace(system_.backend, system_.size);
                 warm_up();
             }});
    // The direction belongs to the last x, and the best one may be another.
    keeps_direction_ = keeps_direction_ && truth.norm() > 0.9 * norm_of_direction_;
    refinement.report(report);
    report.history = history_.collect(report.iterations);
}

/// Iterates and corrects until it is over.
void Cg::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    StatusLook look;
    look.iterations = judgement.iterations();
    double s = truth.unit_scale();
    double rescale = takes_up_ ? s / s_ : 1;
    bool keep_direction = takes_up_ && keeps_direction_;
    // The recurrence's |r| belongs to s S r; so many times as large is the relative residual.
    const auto to_relative = [&] { return truth.scaled_norm() > 0 ? truth.relative() / (s * truth.scaled_norm()) : 0; };
    history_.corrected(look.iterations, to_relative(), truth.relative());
    while (!judgement.final()) {
        restart(refinement, rescale, keep_direction);
        // A residual that falls too slowly to ask for a correction is looked at all the same.
        longest_run_ =
            std::min({limit_ - look.iterations, judgement.patience() + 1, history_.room(look.iterations), countable});
        look = iterate_.run(
            status_, look.iterations, longest_run_, [&](std::int64_t i) { iteration(i); },
            [&](const StatusLook& seen) {
                return judgement.observe({seen.iterations, seen.residual * to_relative(), judgement.corrections()});
            });

        // The correction: x <- x + S y / s,  r <- b - A x in double precision or in two floats.
        double drift = refinement.correct(y_, low_ ? &low_->y : nullptr, r_, s);
        if (look.stop == Stop::indefinite) {
            drift = 1;
            judgement.indefinite(refinement.curvature(p_));
        }
        if (look.stop == Stop::not_finite) drift = 1;
        judgement.corrected(look);

        const double before = s;
        s = truth.unit_scale();
        rescale = s / before;
        keep_direction = drift <= 0.3;
        history_.corrected(look.iterations, to_relative(), truth.relative());
        s_ = before;
    }
    keeps_direction_ = keep_direction;
    norm_of_direction_ = truth.norm();
    takes_up_ = false;
}

}  // namespace

std::unique_ptr<IterativeMethod> make_cg(const System& system, std::int64_t max_iterations) {
    return std::make_unique<Cg>(system, max_iterations);
}

}  // namespace glsolve::inline v0_1
