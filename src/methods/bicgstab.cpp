// BiCGStab, preconditioned from the right, in single precision with corrections from double precision.
//
// Source:  H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992); Y. Saad, Iterative Methods for Sparse Linear
//          Systems, 2nd ed., algorithm 7.7. A correction begins anew, with the true residual as the new shadow
//          residual.
// Cost:    per iteration two products and seven passes, three sums: 9 passes + 3 reduction trees; the preconditioner's
//          own passes come on top, but for a diagonal. In vector lengths, beside the products: the direction reads r,
//          p, v and writes p, u; the half step reads r, v and writes s, w; the sums read r0, v and t, s; the update
//          reads y, r, u, w, s, t, r0 and writes y, r. Nothing is read back.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "methods/bicgstab2.hpp"
#include "methods/chebyshev.hpp"
#include "methods/method_table.hpp"
#include "methods/plain_iteration.hpp"
#include "methods/stabilised_bicg.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_breakdowns_in_vain = 2;  // breakdowns in a row that have gained nothing

class BiCgStab final : public StabilisedBiCg {
  public:
    /// `refiner` goes on after the first correction. Without one BiCGStab(2) does, where this method breaks down.
    BiCgStab(const System& system, std::int64_t max_iterations, std::unique_ptr<FallbackSolver> refiner);

  private:
    void touch_all() override;
    void iteration(std::int64_t k) override;
    void begin() override;
    double correct(Residuals& residuals, std::int64_t /*iterations*/, double s) override {
        return residuals.correct(y_, nullptr, r_, s);
    }
    void run(Refinement& refinement, StoppingCriterion& judgement) override;
    void assess(Column& column, double drift) override;
    bool gives_up() const override {
        return is_refined_ ? corrected_ : breakdowns_in_vain() >= most_breakdowns_in_vain;
    }
    StoppingRules rules(bool may_change) const override;
    void forget() override;
    void allocate_low_parts() override;
    std::string remarks() const override;

    void direction();
    void half_step();
    void products();
    void update();
    void control();

    Vector p_, v_, s_, t_;
    std::optional<Vector> own_u_, own_w_;  // M^-1 p and M^-1 s; without a preconditioner they are p and s
    Vector &u_, &w_;
    Scalar sigma_, products_, factors_;
    bool is_refined_, corrected_ = false;
    std::unique_ptr<FallbackSolver> fallback_;
    std::optional<std::int64_t> taken_over_at_;  // after so many iterations
};

BiCgStab::BiCgStab(const System& system, std::int64_t max_iterations, std::unique_ptr<FallbackSolver> refiner)
    : StabilisedBiCg(system, max_iterations),
      p_(system.backend, system.size, "p"),
      v_(system.backend, system.size, "v"),
      s_(system.backend, system.size, "s"),
      t_(system.backend, system.size, "t"),
      own_u_(system.M ? std::optional<Vector>(std::in_place, system.backend, system.size, "u") : std::nullopt),
      own_w_(system.M ? std::optional<Vector>(std::in_place, system.backend, system.size, "w") : std::nullopt),
      u_(own_u_ ? *own_u_ : p_),
      w_(own_w_ ? *own_w_ : s_),
      sigma_(system.backend, "(r0,v)"),
      products_(system.backend, "(t,s), (t,t)"),
      factors_(system.backend, "beta, omega"),
      is_refined_(refiner != nullptr),
      fallback_(std::move(refiner)) {
    begin_with(t_, partial());
}

void BiCgStab::touch_all() {
    for (Vector* v : {&y_, &r_, &p_, &v_}) fill(*v, 0);
    begin();
    iteration(0);
    begin();
}

/// The residual in r is its own shadow.
void BiCgStab::begin() {
    fill(y_, 0);
    copy(shadow_, r_);
    reductions().dot(shadow_square_, r_, r_);
    system().backend.encode(pass::bicgstab_restart{
        .state = state_, .rho = rho_, .factors = factors_, .status = status(), .rr = shadow_square_});
}

/// One iteration, as in the textbook but for the order: the direction comes first.
void BiCgStab::iteration(std::int64_t /*k*/) {
    direction();                            // p        <- r + beta (p - omega v),  u <- M^-1 p
    product(v_, u_);                        // v        <- A u
    reductions().dot(sigma_, shadow_, v_);  // sigma    <- (r0,v)
    half_step();                            // s        <- r - (rho/sigma) v,  w <- M^-1 s
    product(t_, w_);                        // t        <- A w
    products();                             // products <- (t,s), (t,t)
    update();                               // y        <- y + alpha u + omega w,  r <- s - omega t,  sums
    control();                              // beta, omega, rho, stop?
}

void BiCgStab::direction() {
    const Vector* const d = system().diagonal();
    system().backend.encode(pass::bicgstab_direction{.p = p_,
                                                     .u = d != nullptr ? &u_ : nullptr,
                                                     .r = r_,
                                                     .v = v_,
                                                     .d = d,
                                                     .factors = scalar_arg(factors_),
                                                     .status = status()});
    if (system().applies_M()) system().M->apply(u_, p_);
}

void BiCgStab::half_step() {
    const Vector* const d = system().diagonal();
    system().backend.encode(pass::bicgstab_half{
        .s = s_, .w = d != nullptr ? &w_ : nullptr, .r = r_, .v = v_, .d = d, .alpha = scalar_arg(rho_, sigma_)});
    if (system().applies_M()) system().M->apply(w_, s_);
}

void BiCgStab::products() {
    system().backend.encode(pass::bicgstab_products{.sum = partial(), .t = t_, .s = s_});
    sum(products_, partial(), Finish::keep_components);
}

void BiCgStab::update() {
    system().backend.encode(pass::bicgstab_update{.y = y_,
                                                  .r = r_,
                                                  .sum = partial(),
                                                  .u = u_,
                                                  .w = w_,
                                                  .s = s_,
                                                  .t = t_,
                                                  .shadow = shadow_,
                                                  .alpha = scalar_arg(rho_, sigma_),
                                                  .products = scalar_arg(products_),
                                                  .status = status()});
    sum(sums_, partial(), Finish::keep_components);
}

void BiCgStab::control() {
    system().backend.encode(pass::bicgstab_control{.state = state_,
                                                   .rho = rho_,
                                                   .factors = factors_,
                                                   .status = status(),
                                                   .sums = sums_,
                                                   .products = products_,
                                                   .sigma = sigma_,
                                                   .shadow = shadow_square_,
                                                   .limit = longest_run(),
                                                   .target = target(),
                                                   .norm = static_cast<float>(system().infinity_norm),
                                                   .tolerated = tolerated_drift()});
}

/// Where it breaks down again and again, or has a refiner, another method goes on.
void BiCgStab::run(Refinement& refinement, StoppingCriterion& judgement) {
    ShortRecurrence::run(refinement, judgement);
    if (judgement.final()) return;
    if (!fallback_) {
        System same = system();
        if (in_two_floats()) same.precision = Precision::two_float;
        fallback_ = make_bicgstab2(same, limit());
    }
    taken_over_at_ = judgement.iterations();
    fallback_->take_over(refinement, judgement, history());
}

void BiCgStab::assess(Column& column, double drift) {
    StabilisedBiCg::assess(column, drift);
    corrected_ = true;
}

/// As patient as what goes on.
StoppingRules BiCgStab::rules(bool may_change) const {
    StoppingRules rules = ShortRecurrence::rules(may_change);
    if (is_refined_) rules.least_patience = PlainIteration::patience(1);
    return rules;
}

void BiCgStab::forget() {
    StabilisedBiCg::forget();
    corrected_ = false;
    taken_over_at_.reset();
}

void BiCgStab::allocate_low_parts() {
    StabilisedBiCg::allocate_low_parts();
    if (!is_refined_) fallback_.reset();
}

std::string BiCgStab::remarks() const {
    if (!taken_over_at_) return "";
    if (is_refined_) return fmt::format("Chebyshev from iteration {} on; {}", *taken_over_at_, fallback_->remarks());
    return fmt::format("BiCGStab(2) from iteration {} on, since BiCGStab broke down", *taken_over_at_);
}

std::unique_ptr<IterativeMethod> make_bicgstab(const MethodInput& in) {
    return std::make_unique<BiCgStab>(in.system, in.max_iterations, nullptr);
}

/// Source: Chadov's paper. BiCGStab comes to an answer of single precision, as far as one correction goes; the
/// Chebyshev iteration refines it, without inner products.
std::unique_ptr<IterativeMethod> make_with_chebyshev(const MethodInput& in) {
    return std::make_unique<BiCgStab>(in.system, in.max_iterations, make_chebyshev(in));
}

}  // namespace

constinit const MethodRow bicgstab_method{
    Method::bicgstab, "bicgstab", make_bicgstab, {.varying_M = true, .products_only = true}};
constinit const MethodRow bicgstab_chebyshev_method{
    Method::bicgstab_chebyshev,
    "bicgstab-chebyshev",
    make_with_chebyshev,
    {.symmetric_M = true,
     .tests_at_intervals = true,
     .refuses_two_float = single_alone,
     .refuses_fixed = "bicgstab-chebyshev changes over at a correction, which has to be read"}};

}  // namespace glsolve::inline v0_1
