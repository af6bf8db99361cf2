#include "methods/direct_on_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "matrix/csr_entries.hpp"
#include "matrix/dense_factors.hpp"
#include "matrix/exact_rank.hpp"
#include "methods/corrections_on_host.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// R A C with powers of two in R and C, rows and columns with largest entries near 1 where they are scaled.
struct Scaled {
    CsrView A;
    std::vector<double> rows, columns;

    Scaled(CsrView matrix, bool scales_rows, bool scales_columns)
        : A(matrix), rows(static_cast<std::size_t>(A.rows), 1.0), columns(rows) {
        if (scales_rows) {
            divide(rows, [](std::size_t i, std::size_t /*j*/) { return i; });
        }
        if (scales_columns) {
            divide(columns, [](std::size_t /*i*/, std::size_t j) { return j; });
        }
    }
    double entry(std::size_t i, std::size_t j, double a) const { return rows[i] * a * columns[j]; }

  private:
    /// Each factor by the largest entry of its line.
    template <class Line>
    void divide(std::vector<double>& factors, const Line& line) {
        std::vector<double> largest(factors.size(), 0.0);
        each_entry(A, [&](std::size_t i, std::size_t j, double a) {
            double& size = largest[line(i, j)];
            size = std::max(size, std::abs(entry(i, j, a)));
        });
        for (std::size_t k = 0; k < factors.size(); ++k) {
            if (largest[k] > 0) factors[k] = std::ldexp(1.0, -std::clamp(std::ilogb(largest[k]), -1000, 1000));
        }
    }
};

class OnHost {
  public:
    OnHost(CsrView A, TrueResidual& truth, const Options& options, std::int64_t limit, Report& report)
        : A_(A), truth_(truth), options_(options), limit_(limit), report_(report) {}

    void run() {
        const std::optional<ExactRank> exact = exact_rank(A_, truth_.b());
        const bool is_singular = exact && exact->rank < A_.rows;
        if (is_singular) {
            report_.remarks = fmt::format("the matrix is singular: its rank is {} of {}", exact->rank, A_.rows);
        }
        truth_.forget_told();
        truth_.begin_at_zero();  // the best x so far is kept
        if (!is_singular) {
            const Scaled scaled(A_, true, true);
            const DenseLu factors(A_.rows, [&](const DenseFactors::Entry& entry) { place(scaled, entry); });
            const double pivots = factors.pivot_ratio();
            correct(scaled, factors,
                    fmt::format("by triangular factors (smallest pivot {:.1e} times the largest one)", pivots));
            if (report_.outcome != Outcome::precision_limit || pivots > rounding * A_.rows) return;
            begin_again();
        }
        // Where x solves the system, rows may be scaled, and |x| is the shortest; else |b - A x| is the smallest.
        const bool solves = is_singular && exact->in_range;
        const Scaled scaled(A_, solves, !solves);
        const OrthogonalFactors factors(A_.rows, [&](const DenseFactors::Entry& entry) { place(scaled, entry); });
        correct(scaled, factors, "by orthogonal factors, which take the shortest of all answers");
        if (report_.converged() || report_.outcome == Outcome::cancelled || report_.outcome == Outcome::time_limit) {
            return;
        }
        report_.outcome = Outcome::breakdown;
        report_.reason =
            fmt::format("{}: {}", is_singular ? report_.remarks : "a pivot vanishes but for rounding", report_.reason);
    }

  private:
    static constexpr double rounding = 0x1p-52;

    static void place(const Scaled& scaled, const DenseFactors::Entry& entry) {
        each_entry(scaled.A, [&](std::size_t i, std::size_t j, double a) {
            entry(static_cast<Index>(i), static_cast<Index>(j), scaled.entry(i, j, a));
        });
    }

    /// x <- x + C y  with  R A C y = R (b - A x)
    void correct(const Scaled& scaled, const DenseFactors& factors, const std::string& how) {
        const auto step = [&](std::span<const double> r) {
            std::vector<double> scaled_r(r.begin(), r.end());
            for (std::size_t i = 0; i < r.size(); ++i) scaled_r[i] *= scaled.rows[i];
            std::vector<double> y = factors.solve(scaled_r);
            for (std::size_t j = 0; j < y.size(); ++j) y[j] *= scaled.columns[j];
            return y;
        };
        correct_on_host(truth_, step, {options_.observer, limit_, how}, report_);
    }

    /// From zero: what singular factors have made of x is long.
    void begin_again() {
        truth_.forget_best();
        truth_.begin_at_zero();
    }

    CsrView A_;
    TrueResidual& truth_;
    const Options& options_;
    std::int64_t limit_;
    Report& report_;
};

}  // namespace

void solve_on_host(CsrView A, TrueResidual& truth, const Options& options, std::int64_t limit, Report& report) {
    OnHost(A, truth, options, limit, report).run();
}

}  // namespace glsolve::inline v0_1
