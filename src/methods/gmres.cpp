// GMRES(m), preconditioned from the right, and FGMRES(m); in single precision, each restart a correction from double.
//
// Source:  Y. Saad and M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); Y. Saad, Iterative Methods for Sparse Linear
//          Systems, 2nd ed., algorithms 9.5 and 9.6; on a GPU: Y. Liu, H. Yin, E. Wu (2011).
// Cost:    per step one product, the passes of Arnoldi's process (arnoldi_*.cpp), and two small ones; the
//          preconditioner's own come on top, but for a diagonal. (m + 4) n numbers are kept, FGMRES twice as many.
//          Nothing is read back within a cycle; after one, a few texels with the correction.
//
// Small numbers live on the device. `state` has a column for each of these, four numbers a texel:
//     0 ... m - 1   the columns of R, what rotations have made of the Hessenberg matrix; or that, for the host to solve
//     m             g = Q^T (beta, 0, ..., 0):  |g_j+1| is the residual after step j
//     m + 1, m + 2  the rotations' c and s
//     m + 3         steps of the cycles before, where the status counts on through several
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "device/verbs.hpp"
#include "methods/arnoldi.hpp"
#include "methods/corrected_method.hpp"
#include "methods/least_squares_on_host.hpp"
#include "methods/method_table.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_cycles_in_vain = 3;        // cycles in a row that do not help
constexpr double no_gain_of_cycle = 0.99999;  // times |S r| before a cycle, which it makes smallest: it has not helped

class Gmres final : public CorrectedMethod {
  public:
    Gmres(const System& system, const Options& options, std::int64_t max_iterations);
    void encode_iterations(std::int64_t count) override;
    DeviceResiduals* residuals(int column) override { return rotates() ? CorrectedMethod::residuals(column) : nullptr; }
    std::optional<Ticket> read_history_later() override { return history().read_first_later(); }

  private:
    void touch_all() override;
    void run(Refinement& refinement, StoppingCriterion& judgement) override;
    void encode_run(const DeviceRun& run, DeviceResiduals& ends) override;
    void prepare(Column& column, int k) override;
    void iterate(std::span<Column> columns) override;
    void apply_correction(Column& column, int k) override;
    const Scalar& status() const override { return status_; }
    void allocate_low_parts() override { arnoldi_->allocate_low_parts(); }
    StoppingRules rules(bool may_change) const override;

    void begin();
    void join_column(int k, int limit);
    void encode(int steps, std::int64_t first, bool is_last = true, bool records = true);
    void solve_least_squares(int steps, std::int64_t first);
    void solve_on_host(int steps, std::int64_t first);
    int steps_of_next(const TrueResidual& truth, std::int64_t left) const;
    void stalled(StoppingCriterion& judgement, const StatusLook& look, bool by_rounding) const;

    bool rotates() const { return options_.least_squares == LeastSquares::device; }

    GmresOptions options_;
    int m_;
    double rate_ = 1;              // of the residual, for each step of the cycle before
    int in_vain_ = 0;              // cycles in a row that have not helped
    float target_ = 0;             // |r| that predicts convergence
    double residual_on_host_ = 0;  // after a cycle whose least-squares problem the host has solved
    Deadline deadline_;            // of the cycle that is being encoded: it then ends with the step that is on

    PartialSums partial_;
    std::unique_ptr<Arnoldi> arnoldi_;
    BasisCoefficients y_;
    Storage state_;
    Scalar status_;
    VariantId blocks_;
    const Vector* correction_ = nullptr;  // of the last cycle
};

Gmres::Gmres(const System& system, const Options& options, std::int64_t max_iterations)
    : CorrectedMethod(system, max_iterations, max_iterations),
      options_(options.gmres),
      m_(std::min(options.gmres.restart, std::max(system.size, 1))),
      partial_(system.backend, layout_of(system.size).extent()),
      y_(system.backend, m_ + 1, "y"),
      state_(system.backend, {m_ + 4, BasisCoefficients::blocks(m_ + 1)}, Element::real, "R, g, rotations"),
      status_(system.backend, "status"),
      blocks_(system.backend.variant(fmt::format("BLOCKS {}\n", BasisCoefficients::blocks(m_ + 1)))) {
    const auto make =
        options_.orthogonalisation == Orthogonalisation::modified ? make_modified_arnoldi : make_classical_arnoldi;
    arnoldi_ = make(this->system(), m_, options.method == Method::fgmres, partial_);
    begin_with(arnoldi_->spare(), partial_);
}

void Gmres::touch_all() {
    fill(arnoldi_->w(), 0);
    fill(arnoldi_->spare(), 0);
    fill(status_, 0);
    encode(std::min(m_, 2), 0);
}

void Gmres::encode_iterations(std::int64_t count) {
    for (; count > 0; count -= m_) {
        fill(status_, 0);
        encode(static_cast<int>(std::min<std::int64_t>(count, m_)), 0);
    }
}

/// Cycles, each from the residual that the device computes in two floats of what the one before has left; nothing is
/// read. After a stop cycles find y = 0. One that waits looks at the status after each.
void Gmres::encode_run(const DeviceRun& run, DeviceResiduals& ends) {
    target_ = run.target;
    fill(status_, 0);
    for (std::int64_t done = 0; done < run.iterations;) {
        const int steps = static_cast<int>(std::min<std::int64_t>(m_, run.iterations - done));
        ends.restart(arnoldi_->w(), nullptr, 1);
        encode(steps, done, done + steps == run.iterations, run.records);
        ends.correct(*correction_, nullptr, arnoldi_->w(), 1);
        done += steps;
        if (!run.look) continue;
        std::array<float, 4> status{};
        system().backend.read(status_.id(), status);
        const StatusLook seen = StatusLook::of(status, 0);
        if (!run.look(seen) || seen.stop != Stop::running) break;
    }
}

/// A cycle from the residual in w. `is_last`: its end is a stop, if nothing has stopped it before.
void Gmres::encode(int steps, std::int64_t first, bool is_last, bool records) {
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && deadline_.passed()) steps = k;
        arnoldi_->complete(k, k == steps, status_);  // column k - 1 of H, |w|
        if (k == 0) {
            begin();  // g <- (|r|, 0, ...)
        } else {
            join_column(k, is_last ? steps : m_ + 1);  // R, g, stop?
            if (rotates() && records && history().has_room(first + k - 1)) history().record(first + k - 1, status_);
        }
        if (k < steps) arnoldi_->advance(k, status_);  // v_k
    }
    solve_least_squares(steps, first);                // y <- the coefficients that make |r| smallest
    correction_ = &arnoldi_->combination(y_, steps);  // M^-1 V y
}

void Gmres::begin() {
    system().backend.encode(
        pass::gmres_restart{.state = state_, .rr = arnoldi_->square(), .status = status_, .restart = m_});
}

/// Column k - 1 of H, with |w| below it.
void Gmres::join_column(int k, int limit) {
    const Arnoldi::Column h = arnoldi_->column(k);
    const Scalar& square = arnoldi_->square();
    system().backend.encode(pass::gmres_column{.state = state_,
                                               .h = h.storage,
                                               .square = square,
                                               .restart = m_,
                                               .j = k - 1,
                                               .at = h.at,
                                               .raw = !rotates(),
                                               .status = status_});
    system().backend.encode(pass::gmres_status{.status = status_,
                                               .state = state_,
                                               .square = square,
                                               .restart = m_,
                                               .j = k - 1,
                                               .limit = limit,
                                               .target = target_,
                                               .raw = !rotates()});
}

void Gmres::solve_least_squares(int steps, std::int64_t first) {
    if (!rotates()) return solve_on_host(steps, first);
    system().backend.encode(
        pass::gmres_solve{.y = y_, .state = state_, .status = status_, .restart = m_, .variant = blocks_});
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

StoppingRules Gmres::rules(bool may_change) const {
    StoppingRules rules = CorrectedMethod::rules(may_change);
    rules.least_patience = std::clamp<std::int64_t>(2 * std::int64_t{system().size}, 1000, 10000);  // it may crawl
    return rules;
}

void Gmres::run(Refinement& refinement, StoppingCriterion& judgement) {
    rate_ = 1;
    in_vain_ = 0;
    CorrectedMethod::run(refinement, judgement);
}

/// |g_j+1| is worth this much: |r| / s in the norm of S, times |r64| / |S r64|.
void Gmres::prepare(Column& column, int /*k*/) {
    column.refinement.restart(arnoldi_->w(), nullptr, column.scale.s);
    target_ = fixed() ? 0 : column.scale.target;
}

/// A cycle.
void Gmres::iterate(std::span<Column> columns) {
    const Column& one = columns.front();
    const int steps = steps_of_next(one.truth(), std::min(limit() - one.first, history().room(one.first)));
    fill(status_, 0);
    deadline_ = one.truth().deadline();
    encode(steps, one.first);
    deadline_ = {};
}

/// x <- x + S M^-1 V y / s,  r <- b - A x  in double precision or in two floats.
void Gmres::apply_correction(Column& column, int /*k*/) {
    const TrueResidual& truth = column.truth();
    const StatusLook look = column.look =
        column.refinement.correct(*correction_, column.scale.s, status_, column.first);
    const double promised = rotates() ? look.residual : residual_on_host_;
    in_vain_ = column.scale.s * truth.scaled_norm() > no_gain_of_cycle * column.scale.size ? in_vain_ + 1 : 0;
    if (in_vain_ >= most_cycles_in_vain && !truth.met())
        stalled(column.judgement, look, promised < column.scale.size / 2);
    column.judgement.observe({look.iterations, truth.relative(), column.judgement.corrections() + 1});
    if (column.steps() > 0) rate_ = std::pow(truth.norm() / column.before, 1.0 / static_cast<double>(column.steps()));
}

/// As many steps as the rate of the cycle before lets expect, for the last cycle: what is encoded after the device has
/// stopped is in vain.
int Gmres::steps_of_next(const TrueResidual& truth, std::int64_t left) const {
    const int most = static_cast<int>(std::min<std::int64_t>(m_, left));
    if (!(rate_ < 1)) return most;
    const double needed = std::log(truth.threshold() / truth.norm()) / std::log(rate_);
    return needed < m_ ? std::clamp(static_cast<int>(1.25 * needed) + 2, 1, most) : most;
}

void Gmres::stalled(StoppingCriterion& judgement, const StatusLook& look, bool by_rounding) const {
    if (by_rounding) {
        judgement.stalled(true,
                          fmt::format("restarts no longer reduce the residual, though the recurrence says so: the "
                                      "matrix is too ill-conditioned for {}",
                                      in_two_floats() ? "two floats" : "single precision"));
    } else if (look.stop == Stop::complete) {
        judgement.stalled(false, "the Krylov space is exhausted without an answer");
    } else {
        judgement.stalled(false,
                          fmt::format("cycles of {} steps no longer reduce the residual: a longer restart, another "
                                      "preconditioner or the direct method may",
                                      m_));
    }
}

/// Throws InvalidInput when no texture holds the basis.
std::unique_ptr<IterativeMethod> make_gmres(const MethodInput& in) {
    return std::make_unique<Gmres>(in.system, in.options, in.max_iterations);
}

}  // namespace

constinit const MethodRow gmres_method{Method::gmres, "gmres", make_gmres};
constinit const MethodRow fgmres_method{Method::fgmres, "fgmres", make_gmres, {.varying_M = true}};

}  // namespace glsolve::inline v0_1
