// GMRES(m), preconditioned from the right, and FGMRES(m); in single precision, each restart a correction from double.
//
// Source:  Y. Saad and M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); Y. Saad, Iterative Methods for Sparse Linear
//          Systems, 2nd ed., algorithms 9.5 and 9.6; on a GPU: Y. Liu, H. Yin, E. Wu (2011). Classical Gram-Schmidt,
//          twice: L. Giraud, J. Langou, M. Rozloznik, Comput. Math. Appl. 50 (2005).
// Cost:    step j (from 0): one product, two times j + 1 inner products and updates, in 10 passes and the stages of
//          three sums; the preconditioner's own passes come on top, but for a diagonal. In vectors of length n: the
//          inner products read 5/4 (j + 1), the updates j + 3, each twice. (m + 1) n numbers are kept, FGMRES twice as
//          many. Nothing is read back within a cycle; after one, a few texels with the correction.
//
// Small numbers live on the device. `state` has a column for each of these, four numbers a texel:
//     0 ... m - 1   the columns of R, what rotations have made of the Hessenberg matrix; or that, for the host to solve
//     m             g = Q^T (beta, 0, ..., 0):  |g_j+1| is the residual after step j
//     m + 1, m + 2  the rotations' c and s
#include "solvers/gmres.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/basis.hpp"
#include "core/reductions.hpp"
#include "core/verbs.hpp"
#include "solvers/krylov_method.hpp"
#include "solvers/least_squares.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int patience = 3;              // cycles in a row that do not help
constexpr double no_progress = 0.99999;  // times |S r| before a cycle, which it makes smallest: it has not helped

class Gmres final : public KrylovMethod {
  public:
    Gmres(const System& system, const Options& options, std::int64_t max_iterations);
    void encode_iterations(std::int64_t count) override;

  private:
    void touch_all() override;
    void run(Refinement& refinement, Judgement& judgement) override;
    void allocate_low_parts() override { w_low_.emplace(system().backend, system().size, "w, low"); }
    JudgementRules rules(bool may_change) const override;

    void begin();
    void direction(int k, const Vector& w, const Scalar& square);
    void step(int j, int steps);
    void product();
    void orthogonalise(int j);
    void orthogonalise_modified(int j);
    void join_column(int j, int steps);
    void encode(int steps, std::int64_t first);
    void solution(int steps, std::int64_t first);
    void solve_on_host(int steps, std::int64_t first);
    int steps_of_next(const Correction& truth, double rate, std::int64_t left) const;
    void stalled(Judgement& judgement, const StatusLook& look, bool by_rounding) const;

    bool rotates() const { return options_.least_squares == LeastSquares::device; }
    bool has_pass_of_its_own() const { return system().M != nullptr && (flexible_ || system().diagonal() == nullptr); }

    GmresOptions options_;
    bool flexible_;
    int m_;
    float target_ = 0;             // |r| that predicts convergence
    double residual_on_host_ = 0;  // after a cycle whose least-squares problem the host has solved

    Vector r_, w_, z_;             // z = M^-1 v
    std::optional<Vector> v_;      // where M has passes of its own
    std::optional<Vector> w_low_;  // in two floats: of the product
    Basis V_;
    std::optional<Basis> Z_;              // FGMRES
    Coefficients h_, h_again_, one_, y_;  // h = h + h_again; the modified process has no second
    Storage state_;
    PartialSums partial_;
    Reductions reductions_;
    Scalar square_, status_, unity_;
    VariantId blocks_;
};

Gmres::Gmres(const System& system, const Options& options, std::int64_t max_iterations)
    : KrylovMethod(system, max_iterations),
      options_(options.gmres),
      flexible_(options.method == Method::fgmres),
      m_(std::min(options.gmres.restart, std::max(system.size, 1))),
      r_(system.backend, system.size, "r"),
      w_(system.backend, system.size, "w"),
      z_(system.backend, system.size, "z"),
      V_(system.backend, r_.layout(), m_ + 1, "V"),
      h_(system.backend, m_ + 1, "h"),
      h_again_(system.backend, m_ + 1, "h, second"),
      one_(system.backend, m_ + 1, "h_i"),
      y_(system.backend, m_ + 1, "y"),
      state_(system.backend, {m_ + 3, Coefficients::blocks(m_ + 1)}, Element::real, "R, g, rotations"),
      partial_(system.backend, r_.layout().extent()),
      reductions_(system.backend, system.size),
      square_(system.backend, "(w,w)"),
      status_(system.backend, "status"),
      unity_(system.backend, "1"),
      blocks_(system.backend.variant(fmt::format("BLOCKS {}\n", Coefficients::blocks(m_ + 1)))) {
    if (has_pass_of_its_own()) v_.emplace(system.backend, system.size, "v");
    if (flexible_) Z_.emplace(system.backend, r_.layout(), m_, "Z");
    begin_with(w_, partial_);
}

void Gmres::touch_all() {
    fill(unity_, 1);
    h_again_.clear();
    fill(r_, 0);
    fill(status_, 0);
    encode(std::min(m_, 2), 0);
}

void Gmres::encode_iterations(std::int64_t count) {
    for (; count > 0; count -= m_) encode(static_cast<int>(std::min<std::int64_t>(count, m_)), 0);
}

/// A cycle from the residual in r: leaves the correction in z.
void Gmres::encode(int steps, std::int64_t first) {
    begin();
    for (int j = 0; j < steps; ++j) {
        step(j, steps);
        if (rotates()) history().record(first + j, status_);
    }
    solution(steps, first);
}

/// beta <- |r|,  v_0 <- r / beta
void Gmres::begin() {
    reductions_.dot(square_, r_, r_);
    system().backend.encode(
        {.pass = PassId::gmres_restart, .output = {state_.id()}, .input = {square_.id()}, .integer = {m_}});
    fill(status_, 0);
    direction(0, r_, square_);
}

/// v_k <- w / |w|,  z <- M^-1 v_k
void Gmres::direction(int k, const Vector& w, const Scalar& square) {
    V_.store(k, w, square, status_.id());
    PassCall call{.pass = PassId::normalise,
                  .output = {z_.id()},
                  .input = {w.id()},
                  .scalar = {scalar_arg(square)},
                  .status = status_.id()};
    if (has_pass_of_its_own()) {
        call.output = {v_->id()};
    } else if (const Vector* d = system().diagonal()) {
        call.pass = PassId::normalise_jacobi;
        call.input[1] = d->id();
    }
    system().backend.encode(call);
    if (has_pass_of_its_own()) system().M->apply(z_, *v_);
    if (Z_ && k < Z_->count()) Z_->store(k, z_, unity_, status_.id());
}

/// One step of Arnoldi's process, and what it adds to the least-squares problem.
void Gmres::step(int j, int steps) {
    product();  // w <- A z
    if (options_.orthogonalisation == Orthogonalisation::modified) {
        orthogonalise_modified(j);
    } else {
        orthogonalise(j);
    }
    sum(square_, partial_, Finish::add_components);    // (w,w)
    join_column(j, steps);                             // R, g, stop?
    if (j + 1 < steps) direction(j + 1, w_, square_);  // v_j+1 <- w / |w|,  z <- M^-1 v_j+1
}

void Gmres::product() {
    if (w_low_) {
        system().A.multiply_two_float(w_, *w_low_, z_, partial_);
    } else {
        system().A.multiply(w_, z_);
    }
}

/// Gram and Schmidt's classical process. Once leaves w as orthogonal as the condition of the basis allows; twice is
/// enough.
void Gmres::orthogonalise(int j) {
    const Layers all{0, j + 1};
    V_.project(h_, w_, all);                   // h  <- V^T w
    V_.subtract(w_, h_, all);                  // w  <- w - V h
    V_.project(h_again_, w_, all);             // h' <- V^T w
    V_.subtract(w_, h_again_, all, partial_);  // w  <- w - V h'
}

/// The modified process: each inner product with what the ones before have left.
void Gmres::orthogonalise_modified(int j) {
    PassCall add{.pass = PassId::axpy, .output = {h_.id()}, .input = {h_.id(), one_.id()}, .scalar = {scalar_arg(1)}};
    for (int i = 0; i <= j; ++i) {
        V_.project(i == 0 ? h_ : one_, w_, {i, 1});  // h_i <- (w, v_i)
        if (i > 0) system().backend.encode(add);
        if (i < j) {
            V_.subtract(w_, i == 0 ? h_ : one_, {i, 1});  // w <- w - h_i v_i
        } else {
            V_.subtract(w_, i == 0 ? h_ : one_, {i, 1}, partial_);
        }
    }
}

void Gmres::join_column(int j, int steps) {
    system().backend.encode({.pass = rotates() ? PassId::gmres_column : PassId::gmres_raw_column,
                             .output = {state_.id()},
                             .input = {state_.id(), h_.id(), h_again_.id(), square_.id()},
                             .integer = {m_, j},
                             .status = status_.id()});
    system().backend.encode({.pass = rotates() ? PassId::gmres_status : PassId::gmres_raw_status,
                             .output = {status_.id()},
                             .input = {status_.id(), state_.id(), square_.id()},
                             .integer = {m_, j, steps},
                             .constant = {target_},
                             .status = status_.id()});
}

/// y <- the coefficients that make |r| smallest,  z <- M^-1 V y
void Gmres::solution(int steps, std::int64_t first) {
    if (rotates()) {
        system().backend.encode({.pass = PassId::gmres_solve,
                                 .output = {y_.id()},
                                 .input = {state_.id(), status_.id()},
                                 .integer = {m_},
                                 .variant = blocks_});
    } else {
        solve_on_host(steps, first);
    }
    const Layers all{0, steps};
    if (Z_) {
        Z_->combine(z_, y_, all);
    } else if (has_pass_of_its_own()) {
        V_.combine(*v_, y_, all);
        system().M->apply(z_, *v_);
    } else {
        V_.combine(z_, y_, all, system().diagonal());
    }
}

void Gmres::solve_on_host(int steps, std::int64_t first) {
    const Extent extent = system().backend.extent(state_.id());
    std::vector<float> state(static_cast<std::size_t>(extent.texels()) * 4);
    std::array<float, 4> status{};
    system().backend.read(state_.id(), state);
    system().backend.read(status_.id(), status);
    const int columns = std::min(steps, static_cast<int>(status[1]));
    const auto element = [&](int i, int column) {
        return static_cast<double>(state[(static_cast<std::size_t>(i / 4) * static_cast<std::size_t>(extent.width)
                                          + static_cast<std::size_t>(column))
                                             * 4
                                         + static_cast<std::size_t>(i % 4)]);
    };
    const HessenbergAnswer answer = solve_hessenberg(columns, element(0, m_), element);
    std::vector<float> y(static_cast<std::size_t>(extent.height) * 4, 0.0f);
    std::copy(answer.y.begin(), answer.y.end(), y.begin());
    system().backend.upload(y_.id(), y);
    history().know(first, answer.residuals);
    residual_on_host_ = answer.residuals.empty() ? 0 : answer.residuals.back();
}

JudgementRules Gmres::rules(bool may_change) const {
    JudgementRules rules = KrylovMethod::rules(may_change);
    rules.least_patience = std::clamp<std::int64_t>(2 * std::int64_t{system().size}, 1000, 10000);  // it may crawl
    return rules;
}

/// Cycles and corrections until it is over.
void Gmres::run(Refinement& refinement, Judgement& judgement) {
    const Correction& truth = refinement.truth();
    std::int64_t done = judgement.iterations();
    double rate = 1;  // of the residual, for each step of the cycle before
    int in_vain = 0;
    while (!judgement.final()) {
        const double s = truth.unit_scale(), before = truth.norm(), beta = s * truth.scaled_norm();
        history().corrected(done, truth.relative() / beta, truth.relative());
        refinement.restart(r_, nullptr, s);
        // |g_j+1| is worth this much: |r| / s in the norm of S, times |r64| / |S r64|.
        target_ = static_cast<float>(0.9 * truth.threshold() * beta / before);
        const int steps = steps_of_next(truth, rate, std::min(limit() - done, history().room(done)));
        encode(steps, done);

        // The correction: x <- x + S M^-1 V y / s,  r <- b - A x in double precision or in two floats.
        const StatusLook look = refinement.correct(z_, r_, s, status_, done);
        const double promised = rotates() ? look.residual : residual_on_host_;
        in_vain = s * truth.scaled_norm() > no_progress * beta ? in_vain + 1 : 0;
        if (in_vain >= patience && !truth.met()) stalled(judgement, look, promised < beta / 2);
        judgement.observe({look.iterations, truth.relative(), judgement.corrections() + 1});
        judgement.corrected(look);
        if (look.iterations > done)
            rate = std::pow(truth.norm() / before, 1.0 / static_cast<double>(look.iterations - done));
        done = look.iterations;
    }
    history().corrected(done, 0, truth.relative());
}

/// As many steps as the rate of the cycle before lets expect, for the last cycle: what is encoded after the device has
/// stopped is in vain.
int Gmres::steps_of_next(const Correction& truth, double rate, std::int64_t left) const {
    const int most = static_cast<int>(std::min<std::int64_t>(m_, left));
    if (!(rate < 1)) return most;
    const double needed = std::log(truth.threshold() / truth.norm()) / std::log(rate);
    return needed < m_ ? std::clamp(static_cast<int>(1.25 * needed) + 2, 1, most) : most;
}

void Gmres::stalled(Judgement& judgement, const StatusLook& look, bool by_rounding) const {
    if (by_rounding) {
        judgement.stalled(true,
                          fmt::format("restarts no longer reduce the residual, though the recurrence says so: the "
                                      "matrix is too ill-conditioned for {}",
                                      w_low_ ? "two floats" : "single precision"));
    } else if (look.stop == Stop::complete) {
        judgement.stalled(false, "the Krylov space is complete without an answer: the matrix is singular");
    } else {
        judgement.stalled(false,
                          fmt::format("cycles of {} steps no longer reduce the residual: a longer restart, another "
                                      "preconditioner or the direct method may",
                                      m_));
    }
}

}  // namespace

std::unique_ptr<IterativeMethod> make_gmres(const System& system, const Options& options, std::int64_t max_iterations) {
    return std::make_unique<Gmres>(system, options, max_iterations);
}

}  // namespace glsolve::inline v0_1
