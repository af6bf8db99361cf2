// IDR(s), preconditioned from the right, in single precision with corrections from double precision: residuals in
// spaces that shrink. A cycle makes the residual orthogonal to s shadow vectors P, one after the other, and ends with a
// step along it, as BiCGStab does.
//
// Source:  M. B. van Gijzen and P. Sonneveld, ACM Trans. Math. Softw. 38 (2011), algorithm 913, the variant with
//          biorthogonal vectors; their choice of omega: G. L. G. Sleijpen and H. A. van der Vorst, Numer. Algorithms 10
//          (1995). The first shadow vector is the residual of the last correction, as in BiCGStab, which IDR(1) is but
//          for omega and rounding (P. Sonneveld and M. B. van Gijzen, SIAM J. Sci. Comput. 31 (2008)); the others are
//          random. The inner products with P that make the vectors biorthogonal are made in one pass, classically.
//          A run between two corrections that makes the residual much larger is taken back: x stays as it was, and the
//          next run has other shadow vectors, all of them random. Small losses are made up for by later runs.
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
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "device/basis.hpp"
#include "device/verbs.hpp"
#include "methods/method_table.hpp"
#include "methods/short_recurrence.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_runs_in_vain = 8;  // runs in a row that have gained nothing
constexpr float growth = 100;         // of the residual in a run: one that ends with more is taken back
constexpr float kappa = 0.7f;         // omega is made no shorter than this times |r| / |t|
constexpr int shadows_stored = 8;

/// Random vectors of one length, orthonormal; the same for the same length and lot. At most as many as they have
/// numbers.
std::vector<std::vector<double>> orthonormal_vectors(Index length, int count, int lot) {
    Random random(static_cast<std::uint64_t>(913 + lot));
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
    double correct(Residuals& residuals, std::int64_t /*iterations*/, double s) override;
    void assess(Column& column, double drift) override;
    void forget() override;
    void allocate_low_parts() override { low_.emplace(system().backend, system().size, "A u, low"); }
    int products() const override { return (s_ + 1) * system().products(); }

    void choose_shadows(int lot);
    void begin();
    void take_back(Column& column);
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
    BasisCoefficients h_;      // P^T g
    Storage state_;
    Scalar omega_, products_, sums_, rr_, control_, kept_, unity_;
    std::optional<Vector> low_;  // in two floats: of products
    int lot_ = 0;                // of random shadow vectors; 0: the residual is the first of them
    int in_vain_ = 0;            // runs in a row that have gained nothing
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
      h_(system.backend, shadows_stored, "P^T g"),
      state_(system.backend, {s_ + 4, BasisCoefficients::blocks(shadows_stored)}, Element::real, "c, a, f, beta, M"),
      omega_(system.backend, "omega"),
      products_(system.backend, "(r,t), (t,t), (t,r), (r,r)"),
      sums_(system.backend, "(r,y), (y,y), (y,r), (r,r)"),
      rr_(system.backend, "(r,r)"),
      control_(system.backend, "drift"),
      kept_(system.backend, "kept"),
      unity_(system.backend, "1") {
    if (system.M != nullptr) z_.emplace(system.backend, system.size, "M^-1 r");
    fill(unity_, 1);
    choose_shadows(0);
    begin_with(g_, partial());
}

/// Of lot 0 all but the first, which is the residual.
void Idr::choose_shadows(int lot) {
    lot_ = lot;
    int k = lot == 0 ? 1 : 0;
    for (const std::vector<double>& p : orthonormal_vectors(system().size, s_ - k, lot)) {
        u_.upload(std::vector<float>(p.begin(), p.end()));
        P_.store(k++, u_, unity_, {});
    }
}

void Idr::touch_all() {
    for (Vector* v : {&y_, &r_, &u_, &g_}) fill(*v, 0);
    begin();
    iteration(0);
    begin();
}

void Idr::restart(Residuals& residuals, double s) {
    residuals.restart(r_, nullptr, s);
    begin();
}

/// The residual in r is the first shadow vector, until that has been in vain: (r,A r) may vanish, as for skew-symmetric
/// matrices, and that is what the first step divides by. There are no directions yet, y = 0, omega = 1.
void Idr::begin() {
    fill(y_, 0);
    G_.clear();
    U_.clear();
    reductions().dot(products_, r_, r_);
    if (in_vain_ > 0) choose_shadows(lot_ + 1);
    if (lot_ == 0) P_.store(0, r_, products_, {});
    system().backend.encode(pass::fill{.y = state_, .length = 0, .log2_width = 0, .value = 0.0f});
    system().backend.encode(
        pass::bicgstab_restart{.state = control_, .rho = rr_, .factors = omega_, .status = status(), .rr = products_});
    fill(omega_, 1);
    fill(kept_, 1);
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
    const Layers rest{k, s_ - k};
    const bool applies_M = system().applies_M();
    if (applies_M) {
        G_.subtract(g_, r_, state_, rest);  // v <- r - G c
        system().M->apply(*z_, g_);         // z <- M^-1 v
    }
    system().backend.encode(pass::idr_direction{.u = u_,
                                                .basis_u = U_.id(),
                                                .basis_g = applies_M ? StorageId{} : G_.id(),
                                                .r = applies_M ? nullptr : &r_,
                                                .z = applies_M ? &*z_ : nullptr,
                                                .d = system().diagonal(),
                                                .state = state_,
                                                .omega = scalar_arg(omega_),
                                                .log2_width = U_.layout().log2_width,
                                                .log2_columns = U_.grid().log2_columns,
                                                .tile_height = U_.layout().height,
                                                .first = rest.first,
                                                .count = rest.count,
                                                .variant = U_.variant()});
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
                                             .log2_width = U_.layout().log2_width,
                                             .log2_columns = U_.grid().log2_columns,
                                             .tile_height = U_.layout().height,
                                             .count = k,
                                             .status = status(),
                                             .variant = U_.variant()});
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
                                              .kept = kept_,
                                              .sums = sums_,
                                              .omega = omega_,
                                              .state = state_,
                                              .limit = longest_run(),
                                              .target = target(),
                                              .norm = static_cast<float>(system().infinity_norm),
                                              .tolerated = tolerated_drift(),
                                              .growth = growth});
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

double Idr::correct(Residuals& residuals, std::int64_t /*iterations*/, double s) {
    scale(y_, scalar_arg(kept_), y_);  // zeros, whatever y holds
    return residuals.correct(y_, nullptr, r_, s);
}

void Idr::assess(Column& column, double /*drift*/) {
    const TrueResidual& truth = column.truth();
    if (truth.met()) return;
    const double allowed = growth;
    const bool grown = column.look.residual > allowed * column.scale.size;  // then y was zero
    const bool lost = truth.norm() > allowed * column.best_before;
    if (lost) take_back(column);
    const Stop stop = column.look.stop;
    const bool broke_down = stop == Stop::breakdown || stop == Stop::not_finite;
    const bool failed = grown || lost || broke_down || stop == Stop::diverged;
    in_vain_ = failed && truth.norm() > 0.99 * column.before ? in_vain_ + 1 : 0;
    if (in_vain_ < most_runs_in_vain) return;
    const auto why = [](std::string_view what) {
        return fmt::format("{} again and again, also with other ones: IDR(s) cannot solve this system; gmres may",
                           what);
    };
    if (broke_down) {
        column.judgement.broke_down(why("the shadow vectors become orthogonal to the vectors of the spaces"));
    } else {
        column.judgement.stalled(true, why("single precision loses the residual on the way of these shadow vectors"));
    }
}

/// x <- x - S y / s: the recurrence has said that the residual is smaller, and it is not.
void Idr::take_back(Column& column) {
    scale(y_, scalar_arg(-1), y_);
    column.refinement.correct(y_, nullptr, r_, column.scale.s);
}

void Idr::forget() {
    in_vain_ = 0;
    if (lot_ != 0) choose_shadows(0);
}

std::unique_ptr<IterativeMethod> make_idr(const MethodInput& in) {
    return std::make_unique<Idr>(in.system, in.options.idr.s, in.max_iterations);
}

}  // namespace

constinit const MethodRow idr_method{Method::idr, "idr", make_idr, {.varying_M = true, .products_only = true}};

}  // namespace glsolve::inline v0_1
