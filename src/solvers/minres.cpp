// MINRES, in single precision with corrections from double precision.
//
// Source:  C. C. Paige and M. A. Saunders, SIAM J. Numer. Anal. 12 (1975); the notation, and what happens where the
//          matrix is singular, after S.-C. Choi, C. C. Paige and M. A. Saunders, SIAM J. Sci. Comput. 33 (2011).
//          Preconditioned by the system's scaling: with S = |diag(A)|^(-1/2), which is positive definite whatever the
//          signs of the diagonal, plain MINRES for S A S is MINRES for A with the preconditioner S^-2.
// Cost:    per iteration one product, one pass over vectors, two sums, two passes over one texel: 4 passes + 2
//          reduction trees. In vector lengths, beside the product: the update reads u, u before, q, w, w before, y and
//          writes u, w, y. It makes the next Lanczos vector together with the step of the iteration before, whose
//          length was not known before |u|; so one step is left when the device stops. Nothing is read back.
//
// The device works on  S A S y = s S r  for the residual r of the last correction, as conjugate gradients do. Lanczos
// vectors u are kept as they come, v = u / |u|: the factor goes into the next pass that reads them.
#include "solvers/minres.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/iterate.hpp"
#include "core/reductions.hpp"
#include "core/verbs.hpp"
#include "solvers/history.hpp"
#include "solvers/judgement.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t countable = std::int64_t{1} << 23;  // iterations of a run: a float counts them exactly
constexpr int patience = 12;                               // corrections in a row that have gained nothing
constexpr double no_progress = 0.99;                       // a residual so many times as large as the best one
// A run that gains nothing went on for too long: for the next one the drift counts so many times as much.
constexpr float more_cautious = 8, most_cautious = 0x1p18f;

class Minres final : public IterativeMethod {
  public:
    Minres(const System& system, std::int64_t max_iterations);
    void solve(Correction& truth, const Options& options, Report& report) override;
    void encode_iterations(std::int64_t count) override {
        for (std::int64_t i = 0; i < count; ++i) iteration(begun_ + i);
    }

  private:
    void warm_up();
    void begin();
    void iteration(std::int64_t i);
    void product(std::int64_t k);
    void update(std::int64_t k);
    void control();
    void finish(std::int64_t k);
    void run(Refinement& refinement, Judgement& judgement);
    static void stalled(Judgement& judgement, bool by_rounding);

    // Of vectors there are the last two; a pass writes the new one over the older. k counts from the last correction.
    static std::size_t parity(std::int64_t k) { return static_cast<std::size_t>(k & 1); }
    Vector& u(std::int64_t k) { return u_[parity(k)]; }  // from pass k - 1
    Vector& u_before(std::int64_t k) { return u_[parity(k + 1)]; }
    Vector& w(std::int64_t k) { return w_[parity(k + 1)]; }  // from pass k - 1, of the step before that
    Vector& w_before(std::int64_t k) { return w_[parity(k)]; }

    System system_;
    std::int64_t limit_;
    std::int64_t longest_run_ = 0;  // iterations after which the device stops in any case
    std::int64_t begun_ = 0;        // iterations before the last correction
    float target_ = 0;              // |r| that predicts convergence
    float caution_ = 1;             // so many times as large as estimated is the drift taken to be

    Vector y_, q_;
    std::array<Vector, 2> u_, w_;
    std::optional<Vector> low_;  // in two floats: of products
    PartialSums partial_;
    Reductions reductions_;
    std::optional<DeviceResiduals> residuals_;  // none: the host computes them
    Scalar pi_, sums_, square_, lanczos_, rotation_, step_, status_;
    History history_;
    Iterate iterate_;
};

Minres::Minres(const System& system, std::int64_t max_iterations)
    : system_(system),
      limit_(max_iterations),
      y_(system.backend, system.size, "y"),
      q_(system.backend, system.size, "q"),
      u_{Vector(system.backend, system.size, "u"), Vector(system.backend, system.size, "u before")},
      w_{Vector(system.backend, system.size, "w"), Vector(system.backend, system.size, "w before")},
      partial_(system.backend, y_.layout().extent()),
      reductions_(system.backend, system.size),
      pi_(system.backend, "(u,Au)"),
      sums_(system.backend, "(u,u), (y,y)"),
      square_(system.backend, "(r,r)"),
      lanczos_(system.backend, "Lanczos coefficients"),
      rotation_(system.backend, "rotation"),
      step_(system.backend, "step"),
      status_(system.backend, "status"),
      history_(system.backend, max_iterations),
      iterate_(system.backend) {
    if (system.precision == Precision::two_float) low_.emplace(system.backend, system.size, "q, low");
    if (system.residuals_on_device) residuals_.emplace(system.A, system.scale, q_, partial_);
    warm_up();
}

/// Runs every pass on zeros: shaders are compiled and textures allocated before the first solve. Twice, with an odd
/// number of passes over each storage in between: one that is read and written has two textures.
void Minres::warm_up() {
    for (int twice = 0; twice < 2; ++twice) {
        fill(u_[0], 0);
        begin();
        for (std::int64_t k = 0; k < 2; ++k) iteration(begun_ + k);
        finish(2);
        begin();
    }
    system_.backend.flush();
}

/// u(0) holds the residual; nothing is known of what was before.
void Minres::begin() {
    for (Vector* v : {&y_, &u_before(0), &w(0), &w_before(0)}) fill(*v, 0);
    reductions_.dot(square_, u(0), u(0));
    system_.backend.encode({.pass = PassId::minres_restart,
                            .output = {lanczos_.id(), rotation_.id(), step_.id(), status_.id()},
                            .input = {square_.id()}});
}

/// One iteration; in the textbook the step comes last, here it is part of the update of the next iteration.
void Minres::iteration(std::int64_t i) {
    const std::int64_t k = i - begun_;
    product(k);                                     // q    <- A u
    sum(pi_, partial_, Finish::add_components);     // pi   <- (u,q)
    update(k);                                      // u    <- (q - alpha v - ...) / beta,  w, y: the step before
    sum(sums_, partial_, Finish::keep_components);  // sums <- (u,u), (y,y)
    control();                                      // beta <- |u|,  a column of R,  |r|,  stop?
    history_.record(i, status_);
}

void Minres::product(std::int64_t k) {
    if (low_) {
        system_.A.multiply_two_float(q_, *low_, u(k), partial_);
    } else {
        system_.A.multiply_dot(q_, u(k), partial_);
    }
}

void Minres::update(std::int64_t k) {
    system_.backend.encode(
        {.pass = PassId::minres_update,
         .output = {u_before(k).id(), w_before(k).id(), y_.id(), partial_.id()},
         .input = {u_before(k).id(), w_before(k).id(), w(k).id(), y_.id(), step_.id(), u(k).id(), q_.id()},
         .scalar = {scalar_arg(lanczos_), scalar_arg(pi_)},
         .status = status_.id()});
}

void Minres::control() {
    system_.backend.encode({.pass = PassId::minres_control,
                            .output = {lanczos_.id(), rotation_.id(), step_.id(), status_.id()},
                            .input = {lanczos_.id(), rotation_.id(), step_.id(), status_.id(), pi_.id(), sums_.id()},
                            .integer = {static_cast<std::int32_t>(longest_run_)},
                            .constant = {target_, static_cast<float>(system_.infinity_norm), caution_},
                            .status = status_.id()});
}

/// The step of the last of k iterations.
void Minres::finish(std::int64_t k) {
    system_.backend.encode({.pass = PassId::minres_finish,
                            .output = {y_.id()},
                            .input = {u_before(k).id(), w_before(k).id(), w(k).id(), y_.id(), step_.id()}});
}

void Minres::solve(Correction& truth, const Options& options, Report& report) {
    history_.clear();
    Refinement refinement(truth, residuals_ ? &*residuals_ : nullptr, system_.why_on_host);
    // In exact arithmetic MINRES ends after n iterations, for symmetric matrices.
    Judgement judgement(truth, options, system_.size, limit_, system_.symmetric,
                        low_ ? JudgementRules{.arithmetic = "two floats"} : JudgementRules{});
    run(refinement, judgement);
    refinement.finish();
    judgement.report(report);
    refinement.report(report);
    report.history = history_.collect(report.iterations);
}

/// Iterates and corrects until it is over.
void Minres::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    StatusLook look;
    int in_vain = 0;
    caution_ = 1;
    while (!judgement.final()) {
        const double s = truth.unit_scale(), size = s * truth.scaled_norm();
        const double before = truth.norm(), best = truth.best_norm();
        // The recurrence's |r| belongs to s S r; so many times as large is the relative residual.
        const double to_relative = truth.relative() / size;
        begun_ = look.iterations;
        history_.corrected(begun_, to_relative, truth.relative());
        target_ = static_cast<float>(0.9 * truth.threshold() * size / before);
        refinement.restart(u(0), nullptr, s);
        begin();
        longest_run_ = std::min({limit_ - begun_, judgement.patience() + 1, history_.room(begun_), countable});
        look = iterate_.run(
            status_, begun_, longest_run_, [&](std::int64_t i) { iteration(i); },
            [&](const StatusLook& seen) {
                return judgement.observe({seen.iterations, seen.residual * to_relative, judgement.corrections()});
            });
        finish(look.iterations - begun_);

        // The correction: x <- x + S y / s,  r <- b - A x in double precision or in two floats.
        refinement.correct(y_, nullptr, u(0), s);
        in_vain = truth.norm() > no_progress * best ? in_vain + 1 : 0;
        caution_ =
            in_vain > 0 ? std::min(caution_ * more_cautious, most_cautious) : std::max(caution_ / more_cautious, 1.0f);
        if (in_vain >= patience && !truth.met()) stalled(judgement, look.residual < s * truth.scaled_norm() / 2);
        judgement.corrected(look);
    }
    history_.corrected(look.iterations, 0, truth.relative());
}

/// `by_rounding`: the recurrence has promised a residual that is far from the truth.
void Minres::stalled(Judgement& judgement, bool by_rounding) {
    judgement.stalled(by_rounding, by_rounding
                                       ? "corrections no longer reduce the residual, though the recurrence says "
                                         "so: the matrix is too ill-conditioned for single precision, or "
                                         "singular and the right-hand side not in its range"
                                       : "corrections no longer reduce the residual: the matrix is singular and "
                                         "the right-hand side not in its range, or too ill-conditioned for "
                                         "single precision");
}

}  // namespace

std::unique_ptr<IterativeMethod> make_minres(const System& system, std::int64_t max_iterations) {
    return std::make_unique<Minres>(system, max_iterations);
}

}  // namespace glsolve::inline v0_1
