// IDR(s), preconditioned from the right, in single precision with corrections from double precision: residuals in
// spaces that shrink. A cycle makes the residual orthogonal to s shadow vectors P, one after the other, and ends with a
// step along it, as BiCGStab does.
//
// Source:  M. B. van Gijzen and P. Sonneveld, ACM Trans. Math. Softw. 38 (2011), algorithm 913, the variant with
//          biorthogonal vectors; their choice of omega: G. L. G. Sleijpen and H. A. van der Vorst, Numer. Algorithms 10
//          (1995). The first shadow vector is the residual of the last correction, as in BiCGStab, which IDR(1) is but
//          for omega and rounding (P. Sonneveld and M. B. van Gijzen, SIAM J. Sci. Comput. 31 (2008)); the others are
//          random. The inner products with P that make the vectors biorthogonal are made in one pass, classically.
// Cost:    per iteration, a cycle, s + 1 products and s + 1 applications of the preconditioner, as many inner products
//          with all of P, two sums. In vectors of length n, for k = 0 ... s - 1: the direction reads 2 (s - k) + 1, the
//          inner products s + 1, the update 2 k + 4 and writes 4, the stores read and write 2. 3 s + 5 vectors are
//          kept. Nothing is read back.
//
// Small numbers live on the device. `state` has a column for each of these, four numbers a texel:
//     0             c, of the vectors G and U in the next direction
//     1             a, of those in front that a new vector has to lose
//     2             f = P^T r
//     3             beta, the length of the step, and why the cycle has come to nothing, if it has (Stop)
//     4 ... s + 3   the columns of the lower triangle M = P^T G
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "device/basis.hpp"
#include "device/verbs.hpp"
#include "passes.hpp"
#include "solvers/method_table.hpp"
#include "solvers/short_recurrence.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int patience = 4;    // breakdowns in a row that have gained nothing
constexpr float kappa = 0.7f;  // omega is made no shorter than this times |r| / |t|
constexpr int most_shadows = 8;

/// Random vectors of one length, orthonormal; the same for the same length. At most as many as they have numbers.
std::vector<std::vector<double>> orthonormal_vectors(Index length, int count) {
    Random random(913);
    std::vector<std::vector<double>> all;
    for (int k = 0; k < count; ++k) {
        std::vector<double> p(static_cast<std::size_t>(length));
        for (double& number : p) number = random.normal();
        const auto dot = [](const std::vector<double>& x, const std::vector<double>& y) {
            return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
        };
        for (int twice = 0; twice < 2; ++twice) {
            for (const std::vector<double>& q : all) {
                const double along = dot(q, p);
                for (std::size_t i = 0; i < p.size(); ++i) p[i] -= along * q[i];
            }
        }
        const double norm = std::sqrt(dot(p, p));
        for (double& number : p) number /= norm;
        all.push_back(std::move(p));
    }
    return all;
}

class Idr final : public ShortRecurrence {
  public:
    Idr(const System& system, int s, std::int64_t max_iterations);

  private:
    void touch_all() override;
    void iteration(std::int64_t k) override;
    const Scalar& recorded() override { return control_; }
    void restart(Residuals& residuals, double s) override;
    double correct(Residuals& residuals, std::int64_t /*iterations*/, double s) override {
        return residuals.correct(y_, nullptr, r_, s);
    }
    void assess(Column& column, double drift) override;
    void forget() override { in_vain_ = 0; }
    void allocate_low_parts() override { low_.emplace(system().backend, system().size, "A u, low"); }
    int products() const override { return (s_ + 1) * system().products(); }

    void upload_shadows();
    void begin();
    void mix_first_shadow();
    void step(int k);
    void smallest_residual();
    void control();

    void direction(int k);
    void small_numbers(int k);
    void update(int k);
    void gram(Scalar& products, const Vector& x, const Vector& y);
    void multiply(Vector& y, const Vector& x);
    void product(Vector& y, const Vector& x);

    int s_;
    Basis P_, G_, U_;  // shadow vectors; vectors of the spaces; the directions that belong to them, G = A U
    Vector y_, r_, u_, g_;
    std::optional<Vector> z_;  // M^-1 r
    Coefficients h_;           // P^T g
    Storage state_;
    Scalar omega_, products_, sums_, rr_, control_, unity_;
    std::optional<Vector> low_;  // in two floats: of products
    int in_vain_ = 0;            // breakdowns in a row that have gained nothing
};

Idr::Idr(const System& system, int s, std::int64_t max_iterations)
    : ShortRecurrence(system, max_iterations),
      s_(std::min(s, std::max(system.size, 1))),
      P_(system.backend, layout_of(system.size), s_, "P"),
      G_(system.backend, layout_of(system.size), s_, "G"),
      U_(system.backend, layout_of(system.size), s_, "U"),
      y_(system.backend, system.size, "y"),
      r_(system.backend, system.size, "r"),
      u_(system.backend, system.size, "u"),
      g_(system.backend, system.size, "g"),
      h_(system.backend, most_shadows, "P^T g"),
      state_(system.backend, {s_ + 4, Coefficients::blocks(most_shadows)}, Element::real, "c, a, f, beta, M"),
      omega_(system.backend, "omega"),
      products_(system.backend, "(r,t), (t,t), (t,r), (r,r)"),
      sums_(system.backend, "(r,y), (y,y), (y,r), (r,r)"),
      rr_(system.backend, "(r,r)"),
      control_(system.backend, "drift"),
      unity_(system.backend, "1") {
    if (system.M != nullptr) z_.emplace(system.backend, system.size, "M^-1 r");
    fill(unity_, 1);
    upload_shadows();
    begin_with(g_, partial());
}

/// All but the first, which is the residual.
void Idr::upload_shadows() {
    int k = 0;
    for (const std::vector<double>& p : orthonormal_vectors(system().size, s_ - 1)) {
        u_.upload(std::vector<float>(p.begin(), p.end()));
        P_.store(++k, u_, unity_, {});
    }
}

void Idr::touch_all() {
    for (Vector* v : {&y_, &r_, &u_, &g_}) fill(*v, 0);
    begin();
    mix_first_shadow();
    iteration(0);
    begin();
}

void Idr::restart(Residuals& residuals, double s) {
    residuals.restart(r_, nullptr, s);
    begin();
}

/// The residual in r is the first shadow vector, or in it. There are no directions yet, y = 0, omega = 1.
void Idr::begin() {
    fill(y_, 0);
    G_.clear();
    U_.clear();
    reductions().dot(products_, r_, r_);
    P_.store(0, r_, products_, {});
    if (in_vain_ > 0) mix_first_shadow();
    system().backend.encode(pass::fill{.y = state_, .length = 0, .log2_width = 0, .value = 0.0f});
    system().backend.encode(
        pass::bicgstab_restart{.state = control_, .rho = rr_, .factors = omega_, .status = status(), .rr = products_});
    fill(omega_, 1);
}

/// The residual with some t = A M^-1 r in it: (r,t) may vanish, as for skew-symmetric matrices, and that is what the
/// first step divides by.
void Idr::mix_first_shadow() {
    multiply(g_, r_);
    reductions().dot(sums_, g_, g_);
    copy(u_, r_);
    axpy(u_, scalar_arg(products_, sums_, 0.5f), g_);  // p <- r + (|r|^2 / 2 |t|^2) t
    P_.store(0, u_, products_, {});
}

/// A cycle: the residual goes from one space to the next.
void Idr::iteration(std::int64_t /*k*/) {
    P_.project(h_, r_, {0, s_});  // f <- P^T r
    small_numbers(-1);            // c
    for (int k = 0; k < s_; ++k) step(k);
    smallest_residual();
    control();  // stop?
}

/// Vector k of G and U anew; then r is orthogonal to p_k as well.
void Idr::step(int k) {
    direction(k);                 // u <- omega M^-1 (r - G c) + U c
    product(g_, u_);              // g <- A u
    P_.project(h_, g_, {0, s_});  // h <- P^T g
    small_numbers(k);             // a, column k of M, beta, f, c
    update(k);                    // g <- g - G a,  u <- u - U a,  y <- y + beta u,  r <- r - beta g
    G_.store(k, g_, unity_, status().id());
    U_.store(k, u_, unity_, status().id());
}

void Idr::direction(int k) {
    const Vector* const d = system().diagonal();
    const bool applies_M = system().applies_M();
    const TileLayout& grid = G_.grid();
    if (applies_M) {
        system().backend.encode(pass::basis_subtract{.y = g_,  // v <- r - G c
                                                     .v = G_.id(),
                                                     .h = state_,
                                                     .x = r_,
                                                     .log2_width = G_.layout().log2_width,
                                                     .log2_columns = grid.log2_columns,
                                                     .tile_height = G_.layout().height,
                                                     .first = k,
                                                     .count = s_ - k,
                                                     .variant = G_.variant()});
        system().M->apply(*z_, g_);  // z <- M^-1 v
    }
    system().backend.encode(pass::idr_direction{.u = u_,
                                                .basis_u = U_.id(),
                                                .basis_g = applies_M ? StorageId{} : G_.id(),
                                                .r = applies_M ? nullptr : &r_,
                                                .z = applies_M ? &*z_ : nullptr,
                                                .d = d,
                                                .state = state_,
                                                .omega = scalar_arg(omega_),
                                                .log2_width = G_.layout().log2_width,
                                                .log2_columns = grid.log2_columns,
                                                .tile_height = G_.layout().height,
                                                .first = k,
                                                .count = s_ - k,
                                                .variant = G_.variant()});
}

void Idr::small_numbers(int k) {
    system().backend.encode(pass::idr_step{.state = state_, .h = h_, .s = s_, .k = k, .status = status()});
}

void Idr::update(int k) {
    system().backend.encode(pass::idr_update{.y = y_,
                                             .r = r_,
                                             .g = g_,
                                             .u = u_,
                                             .basis_g = G_.id(),
                                             .basis_u = U_.id(),
                                             .state = state_,
                                             .log2_width = G_.layout().log2_width,
                                             .log2_columns = G_.grid().log2_columns,
                                             .tile_height = G_.layout().height,
                                             .count = k,
                                             .status = status(),
                                             .variant = G_.variant()});
}

/// The best of r - omega A M^-1 r, unless that is next to nothing.
void Idr::smallest_residual() {
    multiply(g_, r_);         // z <- M^-1 r,  t <- A z
    gram(products_, r_, g_);  // products <- (r,t), (t,t), (t,r), (r,r)
    system().backend.encode(pass::idr_omega{.omega = omega_, .products = products_, .kappa = kappa});
    // y <- y + omega z,  r <- r - omega t
    if (!z_) copy(u_, r_);
    system().backend.encode(pass::bicgstab2_half{
        .y = y_, .r = r_, .u = z_ ? *z_ : u_, .v = g_, .alpha = scalar_arg(omega_), .status = status()});
    gram(sums_, r_, y_);  // sums <- (r,y), (y,y), (y,r), (r,r)
}

/// products <- (x,y), (y,y), (y,x), (x,x)
void Idr::gram(Scalar& products, const Vector& x, const Vector& y) {
    system().backend.encode(pass::bicgstab2_products{.sum = partial(), .r = x, .s = y, .t = x});
    sum(products, partial(), Finish::keep_components);
}

void Idr::control() {
    system().backend.encode(pass::idr_control{.control = control_,
                                              .status = status(),
                                              .sums = sums_,
                                              .omega = omega_,
                                              .state = state_,
                                              .limit = longest_run(),
                                              .target = target(),
                                              .norm = static_cast<float>(system().infinity_norm),
                                              .tolerated = tolerated_drift()});
}

/// y <- A M^-1 x, by way of z.
void Idr::multiply(Vector& y, const Vector& x) {
    if (z_) system().M->apply(*z_, x);
    product(y, z_ ? *z_ : x);
}

void Idr::product(Vector& y, const Vector& x) {
    if (low_) {
        system().A.multiply_two_float(y, *low_, x, partial());
    } else {
        system().A.multiply(y, x);
    }
}

void Idr::assess(Column& column, double /*drift*/) {
    const TrueResidual& truth = column.truth();
    const bool broke_down = column.look.stop == Stop::breakdown || column.look.stop == Stop::not_finite;
    in_vain_ = broke_down && !truth.met() && truth.norm() > 0.99 * column.before ? in_vain_ + 1 : 0;
    if (in_vain_ >= patience) {
        column.judgement.broke_down(
            "the shadow vectors become orthogonal to the vectors of the spaces again and again, also new ones: IDR(s) "
            "cannot solve this system; gmres may");
    }
}

std::unique_ptr<IterativeMethod> make(const MethodInput& in) {
    return std::make_unique<Idr>(in.system, in.options.idr.s, in.max_iterations);
}

}  // namespace

constinit const MethodRow idr_method{Method::idr, "idr", make, {.varying_M = true, .products_only = true}};

}  // namespace glsolve::inline v0_1
