// Conjugate gradients for four right-hand sides at once: each by its own recurrence, one product for all.
//
// Source:  cg.cpp, component by component. The vectors are MultiVectors: a texel holds the same unknown of four
//          right-hand sides. Alpha, beta, rho and the status have a component for each.
// Runs:    the device iterates until all four ask for a correction. One that asks earlier is frozen: its alpha is not
//          applied, its direction and its rho stay. When the first has waited as long as it had run, the run ends for
//          all. Each is then corrected, judged and begun anew by itself, as one right-hand side is; those that are
//          through take no further part.
// Cost:    with a diagonal, or none, per iteration: one product, two passes over MultiVectors, two sums, two passes
//          over some texels. That is 5 passes + 2 reduction trees, as for one right-hand side. In lengths of a
//          MultiVector: the product reads A once for all (each of its texels serves four neighbours), p, and writes q
//          and the terms of (p,q). The update reads y, p, r, q, writes y, r and, where work groups add up, the terms
//          of its sums (elsewhere they read r and y once more). The direction reads r, p and writes p. z = d * r is
//          made where it is needed: d is a vector, a quarter of a MultiVector. Nothing is read back. A correction
//          takes two passes a right-hand side more: its components of y and r become vectors. Other preconditioners
//          add passes of their own.
// Beside:  cg.cpp, not one code with it: sums of MultiVectors differ in kind from those of vectors, and each
//          right-hand side is corrected, and stops, by itself (docs/design.md).
#include "methods/multi_rhs_cg.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "device/multi_vector_sums.hpp"
#include "device/verbs.hpp"
#include "methods/history.hpp"
#include "methods/solve_loop.hpp"
#include "methods/stopping_criterion.hpp"
#include "passes.hpp"
#include "refinement/cg_step.hpp"
#include "refinement/iteration_loop.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int four = MultiRhsMethod::most;

/// What one of the right-hand sides begins its next run with: a texel for cg_restart_field.
struct Plan {
    float rescale = 1, keep_direction = 0, target = 0, stop = static_cast<float>(Stop::absent);
};

StoppingRules rules(const System& system) { return {.products = system.products()}; }

/// What a right-hand side has for itself.
struct Own {
    Own(TrueResidual& truth, DeviceResiduals* device, const System& system, const Options& options, std::int64_t limit)
        : refinement(truth, device, system.why_on_host),
          judgement(truth, options, system.size, limit, system.symmetric, rules(system)) {}

    Refinement refinement;
    StoppingCriterion judgement;
    double s = 0;                  // that the vectors on the device are scaled by
    bool keeps_direction = false;  // p is worth keeping through the next correction
    std::vector<HistoryEntry> history;
};

/// Do passes over a MultiVector leave the terms of a sum in fewer texels than they run over?
bool adds_up_in_groups(const Backend& backend, const MultiVector& over) {
    return backend.partial_extent(over.layout().extent()) != over.layout().extent();
}

class MultiRhsCg final : public MultiRhsMethod, private SolveLoop {
  public:
    MultiRhsCg(const AssembledSystem& system, std::int64_t max_iterations);

    void solve(std::span<TrueResidual> truths, const Options& options, std::span<Report> reports) override;
    DeviceResiduals* residuals(int column) override {
        return residuals_.empty() ? nullptr : residuals_[static_cast<std::size_t>(column)].get();
    }
    void run_on_device(const DeviceRun& run) override;
    std::int64_t patience_on_device() const override {
        return glsolve::patience(rules(system_), system_.size, system_.symmetric);
    }
    std::optional<Ticket> read_history_later() override { return history_.read_first_later(); }

  private:
    void prepare(Column& column, int k) override;
    void iterate(std::span<Column> columns) override;
    void apply_correction(Column& column, int k) override;
    void note(Column& column, int k, double /*to_relative*/) override {
        own_[static_cast<std::size_t>(k)]->history.push_back({column.look.iterations, column.truth().relative(), true});
    }

    void begin(std::int64_t longest_run);
    void iteration();
    void update(const Scalar& stops);
    void precondition();
    void add_up();
    void direct();
    void control();
    void gather();
    static bool observe(std::span<Column> columns, const StatusLook& seen);
    void warm_up();

    AssembledSystem system_;
    std::int64_t limit_;
    /// What is in doubles does not drift.
    float usual_drift() const { return system_.backend.holds_doubles() ? any_drift : tolerated_drift(false); }

    MultiVector y_, r_, p_, q_;
    std::optional<MultiVector> own_z_;  // of preconditioners that take passes of their own
    MultiVector& z_;
    bool updates_leave_terms_;  // of the sums
    PartialSums partial_;
    MultiVectorSums sums_;
    Storage states_, rhos_, betas_, statuses_, plans_;  // a texel for each right-hand side
    Scalar pi_, rho_, beta_, stops_, all_stopped_;      // a component for each of them
    Scalar status_;                                     // of the run
    IterationLoop iterate_;
    History history_;  // of runs that record theirs
    std::array<std::optional<Own>, four> own_;
    std::array<Plan, four> plan_;
    std::int32_t longest_run_ = 0;
    float tolerated_ = usual_drift();

    // Corrections are made for one right-hand side at a time.
    Vector one_y_, one_r_, spare_;
    PartialSums one_partial_;
    std::vector<std::unique_ptr<DeviceResiduals>> residuals_;  // none: the host computes them
};

MultiRhsCg::MultiRhsCg(const AssembledSystem& system, std::int64_t max_iterations)
    : system_(system),
      limit_(max_iterations),
      y_(system.backend, system.size, "Y"),
      r_(system.backend, system.size, "R"),
      p_(system.backend, system.size, "P"),
      q_(system.backend, system.size, "Q"),
      own_z_(system.applies_M() ? std::optional<MultiVector>(std::in_place, system.backend, system.size, "Z")
                                : std::nullopt),
      z_(own_z_ ? *own_z_ : r_),
      updates_leave_terms_(!system.applies_M() && adds_up_in_groups(system.backend, y_)),
      partial_(system.backend, y_.layout().extent()),
      sums_(system.backend, system.size, updates_leave_terms_),
      states_(system.backend, {four, 1}, Element::real, "states"),
      rhos_(system.backend, {four, 1}, Element::real, "rhos"),
      betas_(system.backend, {four, 1}, Element::real, "betas"),
      statuses_(system.backend, {four, 1}, Element::real, "statuses"),
      plans_(system.backend, {four, 1}, Element::real, "plans"),
      pi_(system.backend, "(p,Ap)"),
      rho_(system.backend, "rho"),
      beta_(system.backend, "beta"),
      stops_(system.backend, "stops"),
      all_stopped_(system.backend, "all stopped"),
      status_(system.backend, "status"),
      iterate_(system.backend),
      history_(system.backend, 1),
      one_y_(system.backend, system.size, "y"),
      one_r_(system.backend, system.size, "r"),
      spare_(system.backend, system.size, "spare"),
      one_partial_(system.backend, one_y_.layout().extent()) {
    if (system.residuals_on_device) {
        for (int k = 0; k < four; ++k) {
            residuals_.push_back(std::make_unique<DeviceResiduals>(system.A, system.scale, spare_, one_partial_));
        }
    }
    warm_up();
}

/// Shaders are compiled and textures allocated before the first solve. Twice: a storage that is read and written has
/// two textures.
void MultiRhsCg::warm_up() {
    const Rehearsal only(system_.backend);  // with multigrid all of it would take as long as some iterations
    const std::array<float, 4 * four> zeros{};
    for (const Storage* s : {&states_, &rhos_, &betas_, &statuses_}) system_.backend.upload(s->id(), zeros);
    system_.backend.upload(all_stopped_.id(), std::array<float, four>{1, 1, 1, 1});
    for (MultiVector* v : {&y_, &r_, &p_, &q_, &z_}) fill(*v, 0);
    fill(one_r_, 0);
    with_programs_begun(system_.backend, [&] {
        for (int twice = 0; twice < 2; ++twice) {
            put(r_, one_r_, 0);
            begin(1);
            iteration();
            history_.record(0, status_);
            take(one_y_, y_, 0);
        }
    });
    for (const std::unique_ptr<DeviceResiduals>& of_one : residuals_) of_one->touch_all();
    system_.backend.flush();
}

void MultiRhsCg::solve(std::span<TrueResidual> truths, const Options& options, std::span<Report> reports) {
    plan_ = {};
    std::vector<Column> columns;
    for (std::size_t k = 0; k < truths.size(); ++k) {
        DeviceResiduals* device = residuals_.empty() ? nullptr : residuals_[k].get();
        Own& own = own_[k].emplace(truths[k], device, system_, options, limit_);
        columns.emplace_back(own.refinement, own.judgement);
    }
    loop(columns);
    for (std::size_t k = 0; k < truths.size(); ++k) {
        own_[k]->refinement.finish();
        own_[k]->judgement.report(reports[k]);
        own_[k]->refinement.report(reports[k]);
        reports[k].history = std::move(own_[k]->history);
        own_[k].reset();
    }
}

void MultiRhsCg::run_on_device(const DeviceRun& run) {
    plan_ = {};
    for (int k = 0; k < run.columns; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (!run.takes_part[at]) continue;
        run.begin(k);
        residuals(k)->restart(one_r_, nullptr, 1);
        put(r_, one_r_, k);
        plan_[at] = {1, 0, run.target, static_cast<float>(Stop::running)};
    }
    const std::int64_t longest = std::min(run.iterations, countable);
    tolerated_ = tolerated_drift(true);
    begin(longest);
    const auto body = [&](std::int64_t k) {
        iteration();
        if (run.records && history_.has_room(k)) history_.record(k, status_);
    };
    iterate_.encode(status_, longest, run.look, body);
    for (int k = 0; k < run.columns; ++k) {
        if (!run.takes_part[static_cast<std::size_t>(k)]) continue;
        take(one_y_, y_, k);
        residuals(k)->correct(one_y_, nullptr, one_r_, 1);
        run.end(k, status_);
    }
}

void MultiRhsCg::iterate(std::span<Column> columns) {
    std::int64_t longest = countable;
    for (const Column& column : columns) {
        const StoppingCriterion& judgement = column.judgement;
        if (judgement.final()) continue;
        longest = std::min({longest, limit_ - judgement.iterations(), judgement.patience() + 1});
    }
    tolerated_ = usual_drift();
    begin(longest);
    iterate_.run(
        status_, 0, longest, [&](std::int64_t) { iteration(); },
        [&](const StatusLook& seen) { return observe(columns, seen); });

    std::array<float, 4 * four> texels{};
    system_.backend.read(statuses_.id(), texels);
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::span<const float> texel = std::span<const float>(texels).subspan(4 * k, 4);
        if (!columns[k].judgement.final()) columns[k].look = StatusLook::of(texel, columns[k].first);
    }
}

/// Sums and directions for the residuals that r holds; y = 0.
void MultiRhsCg::begin(std::int64_t longest_run) {
    longest_run_ = static_cast<std::int32_t>(longest_run);
    std::array<float, 4 * four> plans{};
    for (std::size_t k = 0; k < four; ++k) {
        const auto& [rescale, keep, target, stop] = plan_[k];
        std::copy_n(std::array{rescale, keep, target, stop}.begin(), 4,
                    plans.begin() + static_cast<std::ptrdiff_t>(4 * k));
    }
    system_.backend.upload(plans_.id(), plans);
    fill(y_, 0);
    if (updates_leave_terms_) update(all_stopped_);  // for its sums
    precondition();
    add_up();
    system_.backend.encode(pass::cg_restart{.state = states_,
                                            .rho = rhos_,
                                            .beta = betas_,
                                            .status = statuses_,
                                            .rz = sums_.rz,
                                            .rr = sums_.rr,
                                            .plan = plans_});
    gather();
    direct();
}

/// One iteration, as in cg.cpp.
void MultiRhsCg::iteration() {
    system_.A.multiply_dot(q_, p_, partial_);     // q    <- A p
    sum(pi_, partial_, Finish::keep_components);  // pi   <- (p,q)
    update(stops_);                               // y    <- y + (rho/pi) p,  r <- r - (rho/pi) q
    precondition();                               // z    <- M^-1 r
    add_up();                                     // sums <- (r,z), (r,r), (y,y)
    control();                                    // beta <- (r,z)/rho,  rho <- (r,z),  stop?
    gather();                                     // ... side by side;  all stopped?
    direct();                                     // p    <- z + beta p
}

void MultiRhsCg::update(const Scalar& stops) {
    pass::cg_update update{
        .y = y_, .r = r_, .p = p_, .q = q_, .alpha = scalar_arg(rho_, pi_), .field = true, .status = stops};
    if (updates_leave_terms_) {
        const auto [rz, rr, yy] = sums_.terms();
        update.sum = rz;
        update.sum_rr = rr;
        update.sum_yy = yy;
        if (const Vector* d = system_.diagonal()) {
            update.d = d;
            update.log2_field = y_.layout().log2_width;
            update.log2_width = d->layout().log2_width;
        }
    }
    system_.backend.encode(update);
}

/// By passes of M's own; a diagonal's z is made where it is needed.
void MultiRhsCg::precondition() {
    if (system_.applies_M()) system_.M->apply(z_, r_);
}

void MultiRhsCg::add_up() {
    if (updates_leave_terms_) return sums_();
    if (const Vector* d = system_.diagonal()) return sums_(r_, *d, y_);
    sums_(r_, z_, y_);
}

/// p <- z + beta p
void MultiRhsCg::direct() {
    if (const Vector* d = system_.diagonal()) {
        xpay(p_, r_, *d, scalar_arg(beta_), stops_.id());
    } else {
        xpay(p_, z_, scalar_arg(beta_), stops_.id());
    }
}

void MultiRhsCg::control() {
    system_.backend.encode(pass::cg_control{.state = states_,
                                            .rho = rhos_,
                                            .beta = betas_,
                                            .status = statuses_,
                                            .rz = sums_.rz,
                                            .rr = sums_.rr,
                                            .yy = sums_.yy,
                                            .pi = pi_,
                                            .limit = longest_run_,
                                            .norm = static_cast<float>(system_.infinity_norm),
                                            .tolerated = tolerated_});
}

void MultiRhsCg::gather() {
    system_.backend.encode(pass::cg_gather{.rho = rho_,
                                           .beta = beta_,
                                           .stops = stops_,
                                           .status = status_,
                                           .rhos = rhos_,
                                           .betas = betas_,
                                           .statuses = statuses_});
}

void MultiRhsCg::apply_correction(Column& column, int k) {
    Own& own = *own_[static_cast<std::size_t>(k)];
    plan_[static_cast<std::size_t>(k)] = {};  // no further part, unless it is prepared for one
    take(one_y_, y_, k);
    take(one_r_, r_, k);
    const double drift = column.refinement.correct(one_y_, nullptr, one_r_, column.scale.s);
    if (column.look.stop == Stop::indefinite) {
        take(one_y_, p_, k);
        column.judgement.indefinite(column.refinement.curvature(one_y_));
    }
    own.keeps_direction = direction_survives(column.look, drift);
}

/// r <- s S r,  p <- z + beta p
void MultiRhsCg::prepare(Column& column, int k) {
    Own& own = *own_[static_cast<std::size_t>(k)];
    const double s = column.scale.s, before = std::exchange(own.s, s);
    column.refinement.restart(one_r_, nullptr, s);
    put(r_, one_r_, k);
    plan_[static_cast<std::size_t>(k)] = {static_cast<float>(before > 0 ? s / before : 1),
                                          own.keeps_direction ? 1.0f : 0.0f, column.scale.target,
                                          static_cast<float>(Stop::running)};
}

/// Tells the caller's observer about the first that goes on; it speaks for all of them.
bool MultiRhsCg::observe(std::span<Column> columns, const StatusLook& seen) {
    const StoppingCriterion* first = nullptr;
    bool goes_on = true;
    for (Column& column : columns) {
        StoppingCriterion& judgement = column.judgement;
        if (judgement.final()) continue;
        if (first == nullptr) {
            first = &judgement;
            goes_on = judgement.observe({judgement.iterations() + seen.iterations,
                                         seen.residual * column.scale.to_relative, judgement.corrections()});
        } else {
            judgement.stop_as(*first);
        }
    }
    return goes_on;
}

}  // namespace

bool takes_multi_rhs(const Options& options, const System& system) {
    return options.method == Method::cg && system.precision != Precision::two_float && options.fixed_iterations == 0
           && (!system.applies_M() || system.M->takes_fields());
}

std::unique_ptr<MultiRhsMethod> make_multi_rhs_cg(const AssembledSystem& system, std::int64_t max_iterations) {
    return std::make_unique<MultiRhsCg>(system, max_iterations);
}

}  // namespace glsolve::inline v0_1
