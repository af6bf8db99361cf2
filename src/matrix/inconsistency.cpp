#include "matrix/inconsistency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/compensated_sum.hpp"
#include "base/norm.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/dense_factors.hpp"
#include "matrix/exact_rank.hpp"

namespace glsolve::inline v0_1 {
namespace {

double norm(std::span<const double> v) {
    return norm_of(v.size(), [&](std::size_t i) { return v[i]; });
}

constexpr double rounding_of_sums = 1e-14;  // of a sum, beside the sum of the sizes of its terms

/// |w^T b| / |w| where w is a left null vector, but for rounding; else 0.
double bound_by_null_vector(CsrView A, std::span<const double> w, std::span<const double> b) {
    const double length = norm(w);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    std::vector<double> unit(w.begin(), w.end());
    for (double& w_i : unit) w_i /= length;
    std::vector<CompensatedSum> v(static_cast<std::size_t>(A.columns));
    std::vector<double> sizes(v.size(), 0.0);
    each_entry(A, [&](std::size_t i, std::size_t j, double a) {
        v[j].add_product(a, unit[i]);
        sizes[j] += std::abs(a * unit[i]);
    });
    for (std::size_t j = 0; j < v.size(); ++j) {
        if (!std::isfinite(sizes[j]) || !(std::abs(v[j].high()) <= rounding_of_sums * sizes[j])) return 0;
    }
    CompensatedSum product;
    for (std::size_t i = 0; i < b.size(); ++i) product.add_product(unit[i], b[i]);
    return std::abs(product.high()) / norm(unit);
}

/// The same, also with zeros in place of what is nothing but the rounding of b in w = b - A x.
double bound_by(CsrView A, std::span<const double> w, std::span<const double> b) {
    if (const double bound = bound_by_null_vector(A, w, b); bound > 0) return bound;
    const double noise = 0.1 * rounding_of_sums * std::max(norm(b), norm(w));
    std::vector<double> clean(w.begin(), w.end());
    for (double& w_i : clean) w_i = std::abs(w_i) <= noise ? 0 : w_i;
    return bound_by_null_vector(A, clean, b);
}

/// What exact arithmetic says of a bound.
LeastResidual examined(CsrView A, std::span<const double> b, double bound, double threshold) {
    if (!(bound > threshold)) return {};
    const std::optional<ExactRank> exact = exact_rank(A, b);
    const bool is_singular = exact && exact->rank < A.rows;
    if (is_singular && exact->in_range) return {};
    return {bound, is_singular};
}

double dot(std::span<const double> x, std::span<const double> y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// y <- y + a x
void add(std::span<double> y, double a, std::span<const double> x) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

/// b - A x as if in twice the precision: where x is long, rounding would be all that is seen.
std::vector<double> residual(CsrView A, std::span<const double> b, std::span<const double> x) {
    std::vector<double> r(b.size());
    parallel_rows(A, [&](std::size_t i) {
        CompensatedSum sum(b[i]);
        for (const auto [j, a] : A.row(i)) sum.add_product(-a, x[j]);
        r[i] = sum.high();
    });
    return r;
}

/// CGLS, conjugate gradients on A^T A z = A^T r: the residual r - A z tends to the part of r that no z makes. In the
/// scaling R A C of D. Ruiz (RAL-TR-2001-034), where rows and columns are about as large as each other, A^T w vanishes
/// for w = R (what is left of R r).
class LeastSquares {
  public:
    LeastSquares(CsrView A, bool equilibrated)
        : A_(A),
          rows_(static_cast<std::size_t>(A.rows), 1.0),
          columns_(static_cast<std::size_t>(A.columns), 1.0),
          scaled_(rows_.size()) {
        for (int sweep = 0; equilibrated && sweep < 6; ++sweep) equilibrate();
    }

    /// Takes off r what a z makes, in so many steps or until `is_enough(|A^T r|^2)`; r in the scaling. Returns z.
    template <class Enough>
    std::vector<double> reduce(std::vector<double>& r, std::int64_t steps, const Enough& is_enough) {
        std::vector<double> s(columns_.size()), q(r.size()), z(columns_.size(), 0.0);
        multiply_transposed(r, s);
        std::vector<double> p = s;
        double gamma = dot(s, s);
        for (std::int64_t k = 1; k <= steps && is_safe(gamma); ++k) {
            multiply(p, q);
            const double square = dot(q, q);
            if (!is_safe(square)) break;
            const double alpha = gamma / square;
            add(z, alpha, p);   // z <- z + alpha p
            add(r, -alpha, q);  // r <- r - alpha A p
            multiply_transposed(r, s);
            const double next = dot(s, s), beta = next / gamma;
            gamma = next;
            for (std::size_t j = 0; j < p.size(); ++j) p[j] = s[j] + beta * p[j];
            if (is_enough(gamma)) break;
        }
        return z;
    }

    /// An x with a smaller |R (b - A x)| than the one it starts from.
    std::vector<double> solve(std::span<const double> b, std::vector<double> x, std::int64_t steps) {
        std::vector<double> r = residual(A_, b, x);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] *= rows_[i];
        const std::vector<double> z = reduce(r, steps, [](double) { return false; });
        for (std::size_t j = 0; j < x.size(); ++j) x[j] += columns_[j] * z[j];
        return x;
    }

    /// The bound that what is left of r proves in so many steps; 0: none. A proof takes two products: it is tried each
    /// time that |A^T r| has fallen to a tenth.
    double prove(std::span<const double> b, std::vector<double> r, std::int64_t steps) {
        for (std::size_t i = 0; i < r.size(); ++i) r[i] *= rows_[i];
        std::vector<double> w(r.size());
        double bound = 0, next_try = 1e-14 * dot(r, r);
        const auto is_proved = [&] {
            for (std::size_t i = 0; i < w.size(); ++i) w[i] = rows_[i] * r[i];
            bound = bound_by(A_, w, b);
            return bound > 0;
        };
        reduce(r, steps, [&](double gamma) {
            if (gamma > next_try) return false;
            next_try = 0.01 * gamma;
            return is_proved();
        });
        if (bound == 0) is_proved();
        return bound;
    }

  private:
    void equilibrate() {
        std::vector<double> row(rows_.size(), 0.0), column(columns_.size(), 0.0);
        each_entry(A_, [&](std::size_t i, std::size_t j, double a) {
            const double size = std::abs(rows_[i] * a * columns_[j]);
            row[i] = std::max(row[i], size);
            column[j] = std::max(column[j], size);
        });
        const auto divide = [](std::vector<double>& factors, const std::vector<double>& by) {
            for (std::size_t i = 0; i < factors.size(); ++i) {
                if (by[i] > 0 && std::isfinite(by[i])) factors[i] /= std::sqrt(by[i]);
            }
        };
        divide(rows_, row);
        divide(columns_, column);
    }
    void multiply(std::span<const double> p, std::span<double> q) const {
        std::ranges::fill(q, 0.0);
        each_entry(A_, [&](std::size_t i, std::size_t j, double a) { q[i] += a * (columns_[j] * p[j]); });
        for (std::size_t i = 0; i < q.size(); ++i) q[i] *= rows_[i];
    }
    void multiply_transposed(std::span<const double> r, std::span<double> s) {
        for (std::size_t i = 0; i < r.size(); ++i) scaled_[i] = rows_[i] * r[i];
        std::ranges::fill(s, 0.0);
        each_entry(A_, [&](std::size_t i, std::size_t j, double a) { s[j] += a * scaled_[i]; });
        for (std::size_t j = 0; j < s.size(); ++j) s[j] *= columns_[j];
    }

    CsrView A_;
    std::vector<double> rows_, columns_, scaled_;
};

}  // namespace

LeastResidual least_residual(CsrView A, const ClosedRegions& regions, std::span<const double> b, double threshold) {
    if (!(threshold > 0) || !regions.any()) return {};
    const double bound = bound_by(A, regions.project(b), b);
    return bound > threshold ? LeastResidual{bound, regions.are_exact()} : LeastResidual{};
}

LeastResidual least_residual(CsrView A, std::span<const double> b, std::span<const double> x, double threshold,
                             std::int64_t steps) {
    if (!(threshold > 0)) return {};
    if (norm(A.value) == 0) return {norm(b), true};
    const std::vector<double> r = residual(A, b, x);
    double bound = bound_by(A, r, b);
    if (!(bound > 0)) bound = LeastSquares(A, true).prove(b, r, steps / 2);
    if (!(bound > 0)) bound = LeastSquares(A, false).prove(b, r, steps / 2);
    return examined(A, b, bound, threshold);
}

LeastResidual least_residual_by_factors(CsrView A, std::span<const double> b, double threshold) {
    if (!(threshold > 0)) return {};
    std::vector<double> columns(static_cast<std::size_t>(A.columns), 0.0);
    each_entry(A, [&](std::size_t, std::size_t j, double a) { columns[j] = std::max(columns[j], std::abs(a)); });
    for (double& c : columns) c = c > 0 ? std::ldexp(1.0, -std::clamp(std::ilogb(c), -1000, 1000)) : 1;
    const OrthogonalFactors factors(A.rows, [&](const DenseFactors::Entry& entry) {
        each_entry(A, [&](std::size_t i, std::size_t j, double a) {
            entry(static_cast<Index>(i), static_cast<Index>(j), a * columns[j]);
        });
    });
    // w <- w - A z  with the z that makes that smallest: again, since rounding is relative to the w before.
    std::vector<double> w(b.begin(), b.end());
    constexpr int passes = 3;
    for (int k = 0; k < passes; ++k) {
        std::vector<double> z = factors.solve(w);
        for (std::size_t j = 0; j < z.size(); ++j) z[j] *= columns[j];
        w = residual(A, w, z);
    }
    return examined(A, b, bound_by(A, w, b), threshold);
}

void approach_least_residual(CsrView A, std::span<const double> b, std::span<double> x, std::int64_t steps) {
    double least = norm(residual(A, b, x));
    const std::vector<double> first(x.begin(), x.end());
    for (const std::vector<double>& start : {first, std::vector<double>(x.size(), 0.0)}) {
        for (const bool equilibrated : {false, true}) {
            std::vector<double> nearer = LeastSquares(A, equilibrated).solve(b, start, steps / 4);
            const double left = norm(residual(A, b, nearer));
            if (!(left < least)) continue;
            least = left;
            std::ranges::copy(nearer, x.begin());
        }
    }
}

}  // namespace glsolve::inline v0_1
