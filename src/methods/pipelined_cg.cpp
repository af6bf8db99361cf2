// Pipelined conjugate gradients, preconditioned, in single precision with corrections from double precision.
//
// Source:  T. Chen and E. Carson, "Predict-and-recompute conjugate gradient variants", SIAM J. Sci. Comput. 42 (2020),
//          PR-CG: all inner products of an iteration are made at once, from r before its update; those with the next
//          residual r - alpha s are predicted from them, and (r,z) is recomputed with the next product. beta is the one
//          that makes the next direction conjugate to this one, which in single precision bears more than the quotient
//          of (r,z) predicted (docs/measurements/methods-pipelined-cg.md). |r| and |y|, for which the sum has no room,
//          follow from the others (T. Steihaug, SIAM J. Numer. Anal. 20 (1983)). Corrections as in cg.cpp.
// Cost:    per iteration one product, which ends in the terms of the sum, one pass over vectors, one sum, one pass over
//          one texel: 3 passes + 1 reduction tree. In vector lengths: the product reads A, p, r, d and writes s and the
//          terms; the update reads y, p, r, s, d and writes y, r, p. Nothing is read back. In two floats two passes
//          more (y moves in a pass of its own, and so do the terms), and the low parts of A, s, y and r. With a
//          preconditioner that is no diagonal its own passes, one for the terms, and z, u.
#include <optional>

#include "device/verbs.hpp"
#include "methods/conjugate_gradients.hpp"
#include "methods/method_table.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

class PipelinedCg final : public ConjugateGradients {
  public:
    PipelinedCg(const AssembledSystem& system, std::int64_t max_iterations);

  private:
    /// Low parts of what is held in two floats; s = A p is made in them.
    struct LowParts {
        LowParts(Backend& backend, Index size)
            : y(backend, size, "y, low"), r(backend, size, "r, low"), s(backend, size, "s, low") {}
        Vector y, r, s;
    };
    /// Of a preconditioner that is no diagonal: z = M^-1 r, by its own recurrence, and u = M^-1 s.
    struct Preconditioned {
        Preconditioned(Backend& backend, Index size) : z(backend, size, "z"), u(backend, size, "u") {}
        Vector z, u;
    };

    void touch_all() override;
    void iteration(std::int64_t k) override;
    const Scalar& recorded() override { return status(); }
    void restart(Residuals& residuals, double s) override;
    double correct(Residuals& residuals, std::int64_t iterations, double s) override;
    void assess(Column& column, double drift) override;
    const Vector& direction() const override { return p_; }
    void forget_scalars() override;
    void allocate_low_parts() override { low_.emplace(system().backend, system().size); }

    void update();
    void product();
    void control();
    void begin(float rescale, float keep_direction);
    void take_residual_out();

    /// M^-1, where passes of z's own do not apply it.
    const Vector* diagonal() const { return preconditioned_ ? nullptr : system().diagonal(); }

    AssembledMatrix& A_;
    Vector y_, r_, p_, s_;
    std::optional<Preconditioned> preconditioned_;
    std::optional<LowParts> low_;  // none: single precision
    Scalar sums_, step_, lengths_, state_, rz_, rr_;
};

PipelinedCg::PipelinedCg(const AssembledSystem& system, std::int64_t max_iterations)
    : ConjugateGradients(system, max_iterations),
      A_(system.A),
      y_(system.backend, system.size, "y"),
      r_(system.backend, system.size, "r"),
      p_(system.backend, system.size, "p"),
      s_(system.backend, system.size, "s"),
      sums_(system.backend, "(r,z), (p,s), (u,s), (z,s)"),
      step_(system.backend, "alpha, beta, (r,z)"),
      lengths_(system.backend, "(p,Mp), (y,Mp), (y,My)"),
      state_(system.backend, "state"),
      rz_(system.backend, "(r,z)"),
      rr_(system.backend, "(r,r)") {
    if (system.applies_M()) preconditioned_.emplace(system.backend, system.size);
    begin_with(s_, partial());
}

void PipelinedCg::touch_all() {
    for (Vector* v : {&y_, &r_, &p_, &s_}) fill(*v, 0);
    if (preconditioned_) fill(preconditioned_->u, 0);
    if (low_) {
        for (Vector* v : {&low_->y, &low_->r, &low_->s}) fill(*v, 0);
    }
    for (Scalar* s : {&step_, &lengths_}) fill(*s, 0);
    begin(0, 1);
    iteration(0);
    begin(0, 1);
    for (int twice = 0; twice < 2; ++twice) take_residual_out();
}

/// One iteration, as in the textbook but for the order: the update comes first, with what the last sum has told.
void PipelinedCg::iteration(std::int64_t /*k*/) {
    update();                                        // y    <- y + alpha p,  r <- r - alpha s,  p <- M^-1 r + beta p
    product();                                       // s    <- A p
    sum(sums_, partial(), Finish::keep_components);  // sums <- (r,z), (p,s), (M^-1 s,s), (z,s)
    control();  // alpha <- (r,z) / (p,s),  beta <- -(z - alpha M^-1 s, s) / (p,s),  stop?
}

void PipelinedCg::update() {
    if (low_) {
        system().backend.encode(pass::pipelined_step_two_float{
            .y = y_, .y_low = low_->y, .x = p_, .a = scalar_arg(step_), .status = status()});
    }
    system().backend.encode(pass::pipelined_update{.y = low_ ? nullptr : &y_,
                                                   .r = r_,
                                                   .r_low = low_ ? &low_->r : nullptr,
                                                   .z = preconditioned_ ? &preconditioned_->z : nullptr,
                                                   .p = p_,
                                                   .s = s_,
                                                   .s_low = low_ ? &low_->s : nullptr,
                                                   .u = preconditioned_ ? &preconditioned_->u : nullptr,
                                                   .d = diagonal(),
                                                   .step = scalar_arg(step_),
                                                   .status = status()});
}

/// And the terms of all inner products: where nothing stands between, the product ends in them.
void PipelinedCg::product() {
    if (!low_ && !preconditioned_) {
        A_.multiply_dots(s_, p_, r_, system().diagonal(), partial());
        return;
    }
    if (low_) {
        system().A.multiply_two_float(s_, low_->s, p_, partial());
    } else {
        system().A.multiply(s_, p_);
    }
    if (preconditioned_) system().M->apply(preconditioned_->u, s_);
    system().backend.encode(pass::pipelined_dots{.sum = partial(),
                                                 .p = p_,
                                                 .r = r_,
                                                 .s = s_,
                                                 .z = preconditioned_ ? &preconditioned_->z : nullptr,
                                                 .u = preconditioned_ ? &preconditioned_->u : nullptr,
                                                 .d = diagonal()});
}

/// In two floats r needs no corrections on the way; z by a recurrence, which is in single precision, does.
void PipelinedCg::control() {
    system().backend.encode(pass::pipelined_control{.state = state_,
                                                    .step = step_,
                                                    .lengths = lengths_,
                                                    .status = status(),
                                                    .sums = sums_,
                                                    .limit = longest_run(),
                                                    .target = target(),
                                                    .norm = static_cast<float>(system().infinity_norm),
                                                    .tolerated = tolerated_drift(low_ && !preconditioned_)});
}

/// The device continues from the true residual: r <- s S r,  y <- 0,  p <- z + beta p.
void PipelinedCg::restart(Residuals& residuals, double s) {
    residuals.restart(r_, low_ ? &low_->r : nullptr, s);
    fill(y_, 0);
    if (low_) fill(low_->y, 0);
    begin(rescale(s), keeps_direction() ? 1.0f : 0.0f);
}

/// A step of no length, which makes direction and sums for the residual that r holds.
void PipelinedCg::begin(float rescale, float keep_direction) {
    const Vector* z = &r_;
    if (system().M != nullptr) {
        Vector& room = preconditioned_ ? preconditioned_->z : s_;
        system().M->apply(room, r_);
        z = &room;
    }
    reductions().dot(rz_, r_, *z);
    reductions().dot(rr_, r_, r_);
    system().backend.encode(pass::pipelined_restart{.state = state_,
                                                    .step = step_,
                                                    .lengths = lengths_,
                                                    .status = status(),
                                                    .rz = rz_,
                                                    .rr = rr_,
                                                    .rescale = rescale,
                                                    .keep = keep_direction});
    iteration(0);
}

double PipelinedCg::correct(Residuals& residuals, std::int64_t /*iterations*/, double s) {
    return residuals.correct(y_, low_ ? &low_->y : nullptr, r_, s);
}

void PipelinedCg::assess(Column& column, double drift) {
    ConjugateGradients::assess(column, drift);
    if (keeps_direction()) take_residual_out();
}

/// p <- p - M^-1 r = beta p: the direction is made already, from a residual that another one is about to replace.
void PipelinedCg::take_residual_out() {
    const Vector* z = &r_;
    if (preconditioned_) {
        z = &preconditioned_->z;
    } else if (system().M != nullptr) {
        system().M->apply(y_, r_);  // y has done its work
        z = &y_;
    }
    axpy(p_, scalar_arg(-1), *z);
}

void PipelinedCg::forget_scalars() {
    fill(step_, 0);
    fill(lengths_, 0);
}

std::unique_ptr<IterativeMethod> make_pipelined_cg(const MethodInput& in) {
    return std::make_unique<PipelinedCg>(in.system, in.max_iterations);
}

}  // namespace

constinit const MethodRow pipelined_cg_method{Method::pipelined_cg,
                                              "pipelined-cg",
                                              make_pipelined_cg,
                                              {.symmetric = true, .symmetric_M = true, .products_only = true}};

}  // namespace glsolve::inline v0_1
