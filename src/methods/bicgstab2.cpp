// BiCGStab(2), preconditioned from the right, in single precision with corrections from double precision. Two steps of
// BiCG, then the residual is made smallest in a plane rather than along a line: that survives where BiCGStab's omega
// vanishes, as for matrices whose eigenvalues lie near the imaginary axis.
//
// Source:  G. L. G. Sleijpen and D. R. Fokkema, Electronic Trans. Numer. Anal. 1 (1993); H. A. van der Vorst, Iterative
//          Krylov Methods for Large Linear Systems (2003), section 9.3, whose names these are.
// Cost:    per iteration, which is worth two of BiCGStab's, four products and nine passes, six sums: 13 passes + 6
//          reduction trees; a preconditioner comes on top four times. Nothing is read back.
//
// y is M x here: one application of M^-1 with each correction instead of two vectors more.
#include "methods/bicgstab2.hpp"

#include <optional>

#include "methods/method_table.hpp"
#include "methods/stabilised_bicg.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_restarts_in_vain = 8;  // breakdowns in a row that have gained nothing

class BiCgStab2 final : public StabilisedBiCg {
  public:
    BiCgStab2(const System& system, std::int64_t max_iterations);

  private:
    void touch_all() override;
    void iteration(std::int64_t k) override;
    void begin() override;
    double correct(Residuals& residuals, std::int64_t iterations, double s) override;
    void assess(Column& column, double drift) override;

    void multiply(Vector& y, const Vector& x);
    void first_step();
    void second_step();
    void smallest_residual();
    void control();

    Vector u_, v_, w_, s_, t_;
    std::optional<Vector> z_;  // M^-1 x, of products
    Scalar beta_, gamma_, rs_, products_, rt_, omegas_;
};

BiCgStab2::BiCgStab2(const System& system, std::int64_t max_iterations)
    : StabilisedBiCg(system, max_iterations),
      u_(system.backend, system.size, "u"),
      v_(system.backend, system.size, "v"),
      w_(system.backend, system.size, "w"),
      s_(system.backend, system.size, "s"),
      t_(system.backend, system.size, "t"),
      beta_(system.backend, "beta"),
      gamma_(system.backend, "gamma"),
      rs_(system.backend, "(r0,s)"),
      products_(system.backend, "(r,s), (s,s), (s,t), (t,t)"),
      rt_(system.backend, "(r,t)"),
      omegas_(system.backend, "omega1, omega2, alpha") {
    if (system.M != nullptr) z_.emplace(system.backend, system.size, "M^-1 u");
    begin_with(t_, partial());
}

void BiCgStab2::touch_all() {
    for (Vector* v : {&y_, &r_, &v_, &s_}) fill(*v, 0);
    begin();
    iteration(0);
    begin();
}

/// There is no direction yet. The shadow is r with some A r in it: (r, A r) may vanish, as for skew-symmetric matrices,
/// and that is what the first step divides by.
void BiCgStab2::begin() {
    fill(y_, 0);
    fill(u_, 0);
    multiply(v_, r_);
    reductions().dot(rt_, r_, r_);
    reductions().dot(gamma_, v_, v_);
    copy(shadow_, r_);
    axpy(shadow_, scalar_arg(rt_, gamma_, 0.5f), v_);  // r0 <- r + (|r|^2 / 2 |A r|^2) A r
    system().backend.encode(
        pass::bicgstab_restart{.state = state_, .rho = rho_, .factors = beta_, .status = status(), .rr = rt_});
    reductions().dot(rho_, shadow_, r_);
    reductions().dot(shadow_square_, shadow_, shadow_);
}

void BiCgStab2::iteration(std::int64_t /*k*/) {
    first_step();
    second_step();
    smallest_residual();
    control();  // beta, rho, stop?
}

/// y <- A M^-1 x
void BiCgStab2::multiply(Vector& y, const Vector& x) {
    if (z_) system().M->apply(*z_, x);
    product(y, z_ ? *z_ : x);
}

void BiCgStab2::first_step() {
    xpay(u_, r_, scalar_arg(beta_, -1));         // u     <- r - beta u
    multiply(v_, u_);                            // v     <- A u
    reductions().dot(gamma_, shadow_, v_);       // gamma <- (r0,v)
    system().backend.encode(pass::bicgstab2_half{// y <- y + (rho/gamma) u,  r <- r - (rho/gamma) v
                                                 .y = y_,
                                                 .r = r_,
                                                 .u = u_,
                                                 .v = v_,
                                                 .alpha = scalar_arg(rho_, gamma_),
                                                 .status = status()});
}

void BiCgStab2::second_step() {
    multiply(s_, r_);                            // s     <- A r
    reductions().dot(rs_, shadow_, s_);          // rs    <- (r0,s)
    system().backend.encode(pass::bicgstab2_beta{// beta  <- rs / gamma,  rho <- rs
                                                 .beta = beta_,
                                                 .rho = rho_,
                                                 .rs = rs_,
                                                 .gamma = gamma_});
    xpay(v_, s_, scalar_arg(beta_, -1));    // v     <- s - beta v
    multiply(w_, v_);                       // w     <- A v
    reductions().dot(gamma_, shadow_, w_);  // gamma <- (r0,w)
    // u <- r - beta u,  r <- r - (rho/gamma) v,  s <- s - (rho/gamma) w
    system().backend.encode(pass::bicgstab2_second{.u = u_,
                                                   .r = r_,
                                                   .s = s_,
                                                   .v = v_,
                                                   .w = w_,
                                                   .alpha = scalar_arg(rho_, gamma_),
                                                   .beta = scalar_arg(beta_),
                                                   .status = status()});
}

/// The best of r - omega1 s - omega2 t, and what belongs to it.
void BiCgStab2::smallest_residual() {
    multiply(t_, s_);  // t <- A s
    system().backend.encode(pass::bicgstab2_products{.sum = partial(), .r = r_, .s = s_, .t = t_});
    sum(products_, partial(), Finish::keep_components);  // (r,s), (s,s), (s,t), (t,t)
    reductions().dot(rt_, r_, t_);
    system().backend.encode(
        pass::bicgstab2_omegas{.omegas = omegas_, .products = products_, .rt = rt_, .rho = rho_, .gamma = gamma_});
    system().backend.encode(pass::bicgstab2_update{.y = y_,
                                                   .r = r_,
                                                   .u = u_,
                                                   .sum = partial(),
                                                   .s = s_,
                                                   .t = t_,
                                                   .v = v_,
                                                   .w = w_,
                                                   .shadow = shadow_,
                                                   .omegas = scalar_arg(omegas_),
                                                   .status = status()});
    sum(sums_, partial(), Finish::keep_components);  // (r0,r), (r,r), (y,y)
}

void BiCgStab2::control() {
    system().backend.encode(pass::bicgstab2_control{.state = state_,
                                                    .rho = rho_,
                                                    .factors = beta_,
                                                    .status = status(),
                                                    .sums = sums_,
                                                    .omegas = omegas_,
                                                    .shadow = shadow_square_,
                                                    .limit = longest_run(),
                                                    .target = target(),
                                                    .norm = static_cast<float>(system().infinity_norm),
                                                    .tolerated = tolerated_drift()});
}

double BiCgStab2::correct(Residuals& residuals, std::int64_t /*iterations*/, double s) {
    if (z_) system().M->apply(*z_, y_);
    return residuals.correct(z_ ? *z_ : y_, nullptr, r_, s);
}

void BiCgStab2::assess(Column& column, double drift) {
    StabilisedBiCg::assess(column, drift);
    if (breakdowns_in_vain() >= most_restarts_in_vain) {
        column.judgement.broke_down(
            "the shadow residual becomes orthogonal again and again, also a new one, and two steps at a time do not "
            "help: BiCGStab cannot solve this system; gmres may");
    }
}

}  // namespace

std::unique_ptr<CorrectedMethod> make_bicgstab2(const System& system, std::int64_t max_iterations) {
    return std::make_unique<BiCgStab2>(system, max_iterations);
}

constinit const MethodRow bicgstab2_method{Method::bicgstab2,
                                           "bicgstab2",
                                           [](const MethodInput& in) -> std::unique_ptr<IterativeMethod> {
                                               return make_bicgstab2(in.system, in.max_iterations);
                                           },
                                           {.varying_M = true, .products_only = true}};

}  // namespace glsolve::inline v0_1
