// The direct method by sparse factors on the host, with iterative refinement.
//
// Source:  T. A. Davis, Direct Methods for Sparse Linear Systems (2006); the order of static pivoting with refinement:
//          X. S. Li and J. W. Demmel, ACM Trans. Math. Softw. 29 (2003): rows matched to columns and scaled, minimum
//          degree of A + A^T, pivots on the diagonal where they are not tiny. The factors are Eigen's.
// Cost:    FactorCost. A correction is two triangular solves and a residual in double precision; one does mostly.
//
// For sparse matrices, symmetric or not, badly scaled, with zeros on the diagonal. Those of grids in space fill in: the
// factors of n unknowns have some n^(4/3) numbers, and take some n^2 operations.
#include "methods/sparse_direct.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "matrix/csr_entries.hpp"
#include "matrix/sparse_factors.hpp"
#include "methods/corrections.hpp"
#include "methods/corrections_on_host.hpp"
#include "methods/direct_on_host.hpp"
#include "methods/inverse_cost.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index most_rows_inverted = 16384;  // 1 GB, twice

class SparseDirect final : public IterativeMethod {
  public:
    SparseDirect(CsrView A, FactorPlan plan, double seconds) : A_(A), made_{.plan = std::move(plan)} {
        if (seconds > 0 && made_.plan.cost.seconds() > seconds) return;
        made_ = factor(A_, std::move(made_.plan), std::numeric_limits<double>::infinity());
        if (made_.factors) pivot_ratio_ = made_.factors->pivot_ratio();
    }

    void solve(TrueResidual& truth, const Options& options, Report& report) override {
        const std::int64_t limit = correction_limit(options);
        report.history.push_back({0, truth.relative(), true});
        report.residuals = "on the host, in double precision";
        if (!made_.factors) {
            report.outcome = made_.plan.possible() ? Outcome::time_limit : Outcome::breakdown;
            report.reason = made_.plan.possible()
                                ? fmt::format("sparse factors are predicted to take {}, and the limit is {:g} s",
                                              made_.plan.cost.in_words(), options.seconds)
                                : "sparse factors: " + made_.plan.impossible;
            truth.report(report);
            return;
        }
        correct(truth, options, limit, report);
        if (gave_up(report.outcome) && made_.shift == 0 && pivot_ratio_ < rounding) {
            made_.shift = usual_shift;
            made_.factors.emplace(made_.plan, usual_shift);
            pivot_ratio_ = made_.factors->pivot_ratio();
            truth.begin_at_zero();  // what such factors have made of x is long; the best x so far is kept
            correct(truth, options, limit, report);
        }
        report.remarks =
            fmt::format("factors {} on the host: {:.3g} numbers{}", made_.factors->name(), made_.factors->entries(),
                        made_.shift > 0 ? "; a pivot vanishes, so 1e-8 is added to the diagonal" : "");
        if (gave_up(report.outcome) && made_.shift > 0) {
            report.outcome = Outcome::breakdown;
            report.reason = fmt::format(
                "a pivot vanishes but for rounding, so the matrix is singular or next to it: {}", report.reason);
        }
        if (gave_up(report.outcome) && A_.rows <= most_rows_on_host) {
            solve_on_host(A_, truth, options, limit, report);
        }
        report.iterations = report.corrections;
        truth.report(report);
    }
    DeviceResiduals* residuals(int /*column*/) override { return nullptr; }
    void run_on_device(const DeviceRun& /*run*/) override {}
    void encode_iterations(std::int64_t /*count*/) override {}  // the device does nothing

  private:
    static constexpr double rounding = 1e-14;

    void correct(TrueResidual& truth, const Options& options, std::int64_t limit, Report& report) const {
        if (pivot_ratio_ == 0) {
            report.outcome = Outcome::precision_limit;
            report.reason = "a column has no pivot";
            return;
        }
        const auto step = [&](std::span<const double> r) { return made_.factors->solve(r); };
        correct_on_host(truth, step,
                        {options.observer, limit, fmt::format("by sparse factors {}", made_.factors->name())}, report);
    }

    CsrView A_;
    Factored made_;  // without factors: there are none, or they would take longer than there is time
    double pivot_ratio_ = 0;
};

}  // namespace

bool is_for_inverse(CsrView A) {
    constexpr double share = 0.25;
    return static_cast<double>(A.nonzeros()) > share * A.rows * A.rows && A.rows > 1;
}

std::unique_ptr<IterativeMethod> make_sparse_direct(const MethodInput& in) {
    const DirectForm form = in.options.direct.form;
    const bool is_asked_for = form == DirectForm::factors;
    const InverseCost inverse(in.A.rows, in.system.backend.can());
    const auto is_too_dear = [&](double seconds) { return !is_asked_for && seconds > inverse.seconds; };
    const bool is_known = in.factors != nullptr;
    const bool is_slow_to_plan = !is_known && is_too_dear(seconds_to_plan(in.A, may_be_definite(in.A)));
    if (form == DirectForm::inverse || (!is_asked_for && is_for_inverse(in.A)) || is_slow_to_plan) return {};
    const double most_bytes = most_bytes_of_factors(in.options.memory);
    FactorPlan own;
    if (!is_known) own = plan_factors(in.A, may_be_definite(in.A), most_bytes);
    const FactorPlan& plan = is_known ? *in.factors : own;
    const bool is_last_way = is_asked_for || in.A.rows > most_rows_inverted;
    if (!plan.possible() && is_last_way) {
        throw InvalidInput(
            fmt::format("the direct method: {}; memory {:.3g} is the limit in MB", plan.impossible, 1e-6 * most_bytes));
    }
    if (!plan.possible() || is_too_dear(plan.cost.seconds())) return {};
    return std::make_unique<SparseDirect>(in.A, plan, in.options.seconds);
}

}  // namespace glsolve::inline v0_1
