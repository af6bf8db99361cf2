// A direct solve with iterative refinement, by the inverse on the device. (By factors on the host: sparse_direct.cpp.)
//
// Source:  the inverse after Gauss and Jordan with partial pivoting, in single precision (dense/inverse.hpp);
//          refinement with residuals in double precision: J. H. Wilkinson, Rounding Errors in Algebraic Processes
//          (1963); N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., chapter 12.
// Cost:    2 n^3 operations once; then a product with the inverse and a residual for each correction. A correction
//          gains about as many digits as single precision leaves after the condition number: 1e-12 takes two to five
//          where that is below 10^5; beyond some 10^7 nothing is gained any more. Small matrices then get factors in
//          double precision on the host, and corrections by these.
//
// For matrices that are not singular, symmetric or not, and small enough for n^2 numbers in a texture; in place of an
// empty row there may be any other equation, and x_j = b_i is one (matrix/empty_lines.hpp). Rows and columns
// may differ by many orders of magnitude (S, and factors for columns); but numbers that grow out of single precision's
// range under partial pivoting (Wilkinson's matrix from n = 130 on) end in words, where the matrix is not small.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "dense/inverse.hpp"
#include "device/verbs.hpp"
#include "matrix/empty_lines.hpp"
#include "methods/corrections.hpp"
#include "methods/direct_on_host.hpp"
#include "methods/method_table.hpp"
#include "methods/sparse_direct.hpp"
#include "methods/stopping_criterion.hpp"

namespace glsolve::inline v0_1 {
namespace {

class Direct final : public IterativeMethod {
  public:
    Direct(const System& system, CsrView A, const Options& options);
    void solve(TrueResidual& truth, const Options& options, Report& report) override;
    /// It makes no runs: a correction that does not help is seen by the host alone.
    DeviceResiduals* residuals(int /*column*/) override { return nullptr; }
    void run_on_device(const DeviceRun& /*run*/) override {}
    void encode_iterations(std::int64_t count) override {
        for (std::int64_t i = 0; i < count; ++i) apply_inverse();
    }

  private:
    void apply_inverse() { inverse_.multiply(y_, r_); }
    static void end(Report& report, Outcome status, std::string reason) {
        report.outcome = status;
        report.reason = std::move(reason);
    }
    bool ended(const TrueResidual& truth, std::int64_t limit, const Corrections& corrections, Report& report) const;
    void correct_on_device(Refinement& refinement, const Options& options, std::int64_t limit, Report& report);
    bool is_for_host(const Report& report) const;

    System system_;
    CsrView A_;
    std::vector<double> c_;              // factors of columns; none: all of them are 1
    std::optional<Verdict> unfinished_;  // why the caller has stopped the inversion
    Inverse inverse_;                    // of S A S C
    Vector r_, y_, work_;
    PartialSums partial_;
    std::optional<DeviceResiduals> residuals_;  // none: the host computes them
};

/// visit(i, j, b) for each entry of B = S A S.
void for_each_entry(const System& system, CsrView A, const auto& visit) {
    for (Index i = 0; i < A.rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto j = static_cast<std::size_t>(A.column[e]);
            visit(i, A.column[e], system.scale[row] * A.value[e] * system.scale[j]);
        }
    }
}

/// S makes the rows alike; where columns are far from each other then, factors c for them, powers of two; else none.
/// Where there are some the host computes residuals: single precision need not hold the entries, nor x.
std::vector<double> column_factors(const System& system, CsrView A) {
    constexpr double near = 0x1p30, farthest = 0x1p1000;
    std::vector<double> c(static_cast<std::size_t>(A.rows), 0.0);
    for_each_entry(system, A, [&](Index, Index j, double b) {
        double& largest = c[static_cast<std::size_t>(j)];
        largest = std::max(largest, std::abs(b));
    });
    bool needed = false;
    for (double& factor : c) {
        const double largest = factor;
        factor = largest > 0 ? std::clamp(std::exp2(-std::round(std::log2(largest))), 1 / farthest, farthest) : 1;
        needed = needed || factor > near || factor < 1 / near;
    }
    if (!needed) c.clear();
    return c;
}

/// `stop`: why the caller has stopped it.
Inverse invert(const System& system, CsrView A, std::span<const double> c, const Options& options,
               std::optional<Verdict>& stop) {
    const Deadline deadline(options.seconds);
    return {system.backend, A.rows,
            [&](const ZoneMatrix::Entry& entry) {
                for_each_entry(system, A, [&](Index i, Index j, double b) {
                    entry(i, j, c.empty() ? b : b * c[static_cast<std::size_t>(j)]);
                });
                for (const Position& missing : positions_for(empty_lines(A))) entry(missing.row, missing.column, 1);
            },
            [&] {  // nothing has been corrected yet
                stop = stop_from_outside(deadline, options.observer, {.relative_residual = 1});
                return !stop;
            }};
}

Direct::Direct(const System& system, CsrView A, const Options& options)
    : system_(system),
      A_(A),
      c_(column_factors(system, A)),
      inverse_(invert(system, A, c_, options, unfinished_)),
      r_(system.backend, system.size, "r"),
      y_(system.backend, system.size, "y"),
      work_(system.backend, system.size, "residual"),
      partial_(system.backend, y_.layout().extent()) {
    if (!c_.empty()) {
        system_.residuals_on_device = false;
        system_.why_on_host = "columns are too far from each other for single precision";
    }
    if (system_.residuals_on_device) residuals_.emplace(system.A, system.scale, work_, partial_);
    fill(r_, 0);
    if (inverse_.finished()) apply_inverse();
    if (residuals_) residuals_->touch_all();
}

/// Is it over? Says why.
bool Direct::ended(const TrueResidual& truth, std::int64_t limit, const Corrections& corrections,
                   Report& report) const {
    const auto best = [&] {
        return fmt::format("best true relative residual {:.2e}", truth.best_norm() / truth.norm_b());
    };
    if (!std::isfinite(truth.norm())) {
        end(report, Outcome::not_finite,
            report.corrections == 0
                ? no_first_residual()
                : "a correction is not finite: it, or the inverse, leaves the range of single precision");
    } else if (truth.met()) {
        end(report, Outcome::converged,
            fmt::format("true relative residual {:.2e}, in double precision from the original matrix",
                        truth.relative()));
    } else if (!inverse_.finished()) {
        end(report, unfinished_->outcome, unfinished_->why + ", before the matrix was inverted");
    } else if (inverse_.pivot_ratio() == 0) {
        end(report, Outcome::breakdown,
            "a column has no pivot: the matrix is singular in single precision, or its numbers grew out of its range");
    } else if (truth.threshold() < truth.floor() && truth.best_norm() < 4 * truth.floor()) {
        end(report, Outcome::precision_limit, rounding_limit(truth));
    } else if (corrections.are_in_vain()) {
        end(report, Outcome::precision_limit,
            fmt::format("corrections no longer halve the residual: the matrix is too ill-conditioned for an inverse in "
                        "single precision (the smallest pivot is {:.1e} times the largest one); {}",
                        inverse_.pivot_ratio(), best()));
    } else if (report.corrections >= limit) {
        end(report, Outcome::max_iterations, fmt::format("all {} corrections used; {}", limit, best()));
    } else {
        return false;
    }
    return true;
}

void Direct::correct_on_device(Refinement& refinement, const Options& options, std::int64_t limit, Report& report) {
    const TrueResidual& truth = refinement.truth();
    Corrections corrections(truth, options.observer, report);
    while (!ended(truth, limit, corrections, report)) {
        const double s = truth.unit_scale();
        refinement.restart(r_, nullptr, s);      // r <- s S (b - A x)
        apply_inverse();                         // y <- (S A S C)^-1 r
        refinement.correct(y_, nullptr, r_, s);  // x <- x + S C y / s
        if (!corrections.done()) return;
    }
}

/// Has single precision been too little, where double precision costs next to nothing?
bool Direct::is_for_host(const Report& report) const {
    const bool has_begun = report.corrections > 0;  // else b or the guess is not finite
    const bool is_failure = gave_up(report.outcome) || (report.outcome == Outcome::not_finite && has_begun);
    return is_failure && A_.rows <= most_rows_on_host;
}

void Direct::solve(TrueResidual& truth, const Options& options, Report& report) {
    truth.scale_columns(c_);
    Refinement refinement(truth, residuals_ ? &*residuals_ : nullptr, system_.why_on_host);
    const std::int64_t limit = correction_limit(options);
    report.history.push_back({0, truth.relative(), true});
    correct_on_device(refinement, options, limit, report);
    refinement.finish();
    if (is_for_host(report)) solve_on_host(A_, truth, options, limit, report);
    report.iterations = report.corrections;
    refinement.report(report);
    report.relative_residual = truth.relative();
}

std::unique_ptr<IterativeMethod> make_direct(const MethodInput& in) {
    if (auto by_factors = make_sparse_direct(in)) return by_factors;
    return std::make_unique<Direct>(in.system, in.A, in.options);
}

}  // namespace

constinit const MethodRow direct_method{
    Method::direct,
    "direct",
    make_direct,
    {.reads = true,
     .takes_M = false,
     .applies_M = false,
     .refuses_M = "the direct method takes no preconditioner, so not {}",
     .refuses_two_float = "the direct method inverts in single precision; precision two-float is for iterations",
     .refuses_fixed = "the direct method has none"}};

}  // namespace glsolve::inline v0_1
