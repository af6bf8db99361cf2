// MINRES, in single precision with corrections from double precision.
//
// Source:  C. C. Paige and M. A. Saunders, SIAM J. Numer. Anal. 12 (1975); the notation, and what happens where the
//          matrix is singular, after S.-C. Choi, C. C. Paige and M. A. Saunders, SIAM J. Sci. Comput. 33 (2011).
//          Preconditioned by a definite M: H. C. Elman, D. J. Silvester and A. J. Wathen, Finite Elements and Fast
//          Iterative Solvers (2005), algorithm 6.1. Lanczos vectors u are orthogonal in M^-1 then, and directions are
//          made of z = M^-1 u; |r| is smallest in the norm of M^-1. M may be negative definite: -M takes its place.
//          Jacobi is in the system's scaling: with S = |diag(A)|^(-1/2), which is positive definite whatever the signs
//          of the diagonal, plain MINRES for S A S is MINRES for A with the preconditioner S^-2.
// Cost:    per iteration one product, one pass over vectors, two sums, two passes over one texel: 4 passes + 2
//          reduction trees; a preconditioner comes on top, with a tree. In vector lengths, beside the product: the
//          update reads u, u before, q, w, w before, y (and z before) and writes u, w, y. It makes the next Lanczos
//          vector together with the step of the iteration before, whose length was not known before |u|; so one step is
//          left when the device stops. Nothing is read back.
//
// Lanczos vectors u are kept as they come, v = u / |u|: the factor goes into the next pass that reads them.
#include <algorithm>
#include <array>
#include <optional>

#include "device/verbs.hpp"
#include "methods/method_table.hpp"
#include "methods/short_recurrence.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_corrections_in_vain = 12;    // corrections in a row that have gained nothing
constexpr int patience_if_indefinite = 2;       // ... where M was not definite
constexpr double no_gain_of_correction = 0.99;  // a residual so many times as large as the best one
// A run that gains nothing went on for too long: for the next one the drift counts so many times as much.
constexpr float more_cautious = 8, most_cautious = 0x1p18f;

class Minres final : public ShortRecurrence {
  public:
    Minres(const System& system, std::int64_t max_iterations);

  private:
    void touch_all() override;
    void iteration(std::int64_t k) override;
    const Scalar& recorded() override { return status(); }
    void restart(Residuals& residuals, double s) override;
    double correct(Residuals& residuals, std::int64_t iterations, double s) override;
    void assess(Column& column, double drift) override;
    void forget() override;
    void allocate_low_parts() override { low_.emplace(system().backend, system().size, "q, low"); }
    bool finite_termination() const override { return system().symmetric; }

    void begin();
    void product(std::int64_t k);
    void update(std::int64_t k);
    void precondition(std::int64_t k);
    void control();
    void finish();
    void stalled(StoppingCriterion& judgement, bool by_rounding) const;

    // Of vectors there are the last two; a pass writes the new one over the older. k counts from the last correction.
    static std::size_t parity(std::int64_t k) { return static_cast<std::size_t>(k & 1); }
    Vector& u(std::int64_t k) { return u_[parity(k)]; }  // from pass k - 1
    Vector& u_before(std::int64_t k) { return u_[parity(k + 1)]; }
    /// M^-1 u; without M u itself.
    Vector& z(std::int64_t k) { return z_ ? (*z_)[parity(k)] : u(k); }
    Vector& z_before(std::int64_t k) { return z(k + 1); }
    Vector& w(std::int64_t k) { return w_[parity(k + 1)]; }  // from pass k - 1, of the step before that
    Vector& w_before(std::int64_t k) { return w_[parity(k)]; }

    float caution_ = 1;  // so many times as large as estimated is the drift taken to be
    int in_vain_ = 0;    // corrections in a row

    Vector y_, q_;
    std::array<Vector, 2> u_, w_;
    std::optional<std::array<Vector, 2>> z_;  // with a preconditioner
    std::optional<Vector> low_;               // in two floats: of products
    Scalar pi_, sums_, square_, uz_, lanczos_, rotation_, norms_, step_;
};

Minres::Minres(const System& system, std::int64_t max_iterations)
    : ShortRecurrence(system, max_iterations),
      y_(system.backend, system.size, "y"),
      q_(system.backend, system.size, "q"),
      u_{Vector(system.backend, system.size, "u"), Vector(system.backend, system.size, "u before")},
      w_{Vector(system.backend, system.size, "w"), Vector(system.backend, system.size, "w before")},
      pi_(system.backend, "(z,Az)"),
      sums_(system.backend, "(u,u), (y,y)"),
      square_(system.backend, "(r,r)"),
      uz_(system.backend, "(u,z)"),
      lanczos_(system.backend, "Lanczos coefficients"),
      rotation_(system.backend, "rotation"),
      norms_(system.backend, "|r| and |T| in the norm of M^-1"),
      step_(system.backend, "step") {
    if (system.M != nullptr) {
        z_.emplace(
            std::array{Vector(system.backend, system.size, "z"), Vector(system.backend, system.size, "z before")});
    }
    begin_with(q_, partial());
}

void Minres::touch_all() {
    fill(u_[0], 0);
    begin();
    for (std::int64_t k = 0; k < 2; ++k) iteration(k);
    finish();
    begin();
}

void Minres::restart(Residuals& residuals, double s) {
    residuals.restart(u(0), nullptr, s);
    begin();
}

/// u(0) holds the residual; nothing is known of what was before.
void Minres::begin() {
    for (Vector* v : {&y_, &u_before(0), &w(0), &w_before(0)}) fill(*v, 0);
    reductions().dot(square_, u(0), u(0));
    if (z_) {
        fill(z_before(0), 0);
        precondition(0);
    }
    system().backend.encode(pass::minres_restart{.lanczos = lanczos_,
                                                 .rotation = rotation_,
                                                 .norms = z_ ? &norms_ : nullptr,
                                                 .step = step_,
                                                 .status = status(),
                                                 .rr = square_,
                                                 .uz = z_ ? &uz_ : nullptr});
}

/// One iteration; in the textbook the step comes last, here it is part of the update of the next iteration.
void Minres::iteration(std::int64_t k) {
    product(k);                                      // q    <- A z,  z = M^-1 u
    sum(pi_, partial(), Finish::add_components);     // pi   <- (z,q)
    update(k);                                       // u    <- (q - alpha v - ...) / beta,  w, y: the step before
    sum(sums_, partial(), Finish::keep_components);  // sums <- (u,u), (y,y)
    if (z_) precondition(k + 1);                     // z    <- M^-1 u,  (u,z)
    control();                                       // beta <- |u|,  a column of R,  |r|,  stop?
}

void Minres::product(std::int64_t k) {
    if (low_) {
        system().A.multiply_two_float(q_, *low_, z(k), partial());
    } else {
        system().A.multiply_dot(q_, z(k), partial());
    }
}

void Minres::update(std::int64_t k) {
    system().backend.encode(pass::minres_update{.u_next = u_before(k),  // nobody needs the one before any more
                                                .w_next = w_before(k),
                                                .y = y_,
                                                .sum = partial(),
                                                .u_before = u_before(k),
                                                .z_before = z_ ? &z_before(k) : nullptr,
                                                .w_before = w_before(k),
                                                .w = w(k),
                                                .step = step_,
                                                .u = u(k),
                                                .q = q_,
                                                .lanczos = scalar_arg(lanczos_),
                                                .pi = scalar_arg(pi_),
                                                .status = status()});
}

/// After the device has stopped, too, when u stays as it is, and so does z.
void Minres::precondition(std::int64_t k) {
    system().M->apply(z(k), u(k));
    reductions().dot(uz_, u(k), z(k));
}

void Minres::control() {
    system().backend.encode(pass::minres_control{.lanczos = lanczos_,
                                                 .rotation = rotation_,
                                                 .norms = z_ ? &norms_ : nullptr,
                                                 .step = step_,
                                                 .status = status(),
                                                 .pi = pi_,
                                                 .sums = sums_,
                                                 .uz = z_ ? &uz_ : nullptr,
                                                 .limit = longest_run(),
                                                 .target = target(),
                                                 .norm = static_cast<float>(system().infinity_norm),
                                                 .caution = caution_});
}

/// The step of the last iteration.
void Minres::finish() {
    system().backend.encode(pass::minres_finish{
        .y = y_, .z_even = z(0), .z_odd = z(1), .w_even = w_[0], .w_odd = w_[1], .step = step_, .status = status()});
}

double Minres::correct(Residuals& residuals, std::int64_t /*iterations*/, double s) {
    finish();
    return residuals.correct(y_, nullptr, u(0), s);
}

void Minres::assess(Column& column, double /*drift*/) {
    const TrueResidual& truth = column.truth();
    in_vain_ = truth.norm() > no_gain_of_correction * column.best_before ? in_vain_ + 1 : 0;
    caution_ =
        in_vain_ > 0 ? std::min(caution_ * more_cautious, most_cautious) : std::max(caution_ / more_cautious, 1.0f);
    if (in_vain_ >= patience_if_indefinite && column.look.stop == Stop::indefinite) {
        column.judgement.broke_down(
            "the preconditioner M is not definite: (r, M^-1 r) is not of one sign, and minres needs it to be; "
            "preconditioners none and jacobi are definite, and gmres takes any");
    }
    if (in_vain_ >= most_corrections_in_vain && !truth.met()) {
        stalled(column.judgement, column.look.residual < column.scale.s * truth.scaled_norm() / 2);
    }
}

void Minres::forget() {
    caution_ = 1;
    in_vain_ = 0;
}

/// `by_rounding`: the recurrence has promised a residual that is far from the truth.
void Minres::stalled(StoppingCriterion& judgement, bool by_rounding) const {
    judgement.stalled(by_rounding, by_rounding
                                       ? "corrections no longer reduce the residual, though the recurrence says "
                                         "so: the matrix is too ill-conditioned for single precision, or "
                                         "singular and the right-hand side not in its range"
                                       : "corrections no longer reduce the residual: the matrix is singular and "
                                         "the right-hand side not in its range, or too ill-conditioned for "
                                         "single precision");
}

std::unique_ptr<IterativeMethod> make_minres(const MethodInput& in) {
    return std::make_unique<Minres>(in.system, in.max_iterations);
}

}  // namespace

constinit const MethodRow minres_method{
    Method::minres, "minres", make_minres, {.symmetric = true, .symmetric_M = true, .products_only = true}};

}  // namespace glsolve::inline v0_1
