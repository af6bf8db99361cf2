#include "matrix/inconsistency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/compensated_sum.hpp"
#include "base/norm.hpp"
#include "base/rounding.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

double norm(std::span<const double> v) {
    return norm_of(v.size(), [&](std::size_t i) { return v[i]; });
}

/// |x| of the longest answers that are looked at.
double longest(double norm_A, std::span<const double> b, double threshold) {
    constexpr double largest_condition = 0x1p26;  // |A| |x| / |b| of answers that are looked at in any case
    return std::max(threshold / unit_roundoff, largest_condition * norm(b)) / norm_A;
}

/// What w proves.
double bound_by(const CsrMatrix& A, std::span<const double> w, std::span<const double> b, double threshold) {
    const double length = norm(w);
    if (!(length > 0) || !std::isfinite(length)) return 0;
    // In twice the precision, so that rounding proves nothing.
    CompensatedSum product;
    std::vector<CompensatedSum> v(static_cast<std::size_t>(A.columns));
    std::vector<double> unit(w.begin(), w.end());
    for (double& w_i : unit) w_i /= length;
    for (std::size_t i = 0; i < b.size(); ++i) product.add_product(unit[i], b[i]);
    each_entry(A, [&](std::size_t i, std::size_t j, double a) { v[j].add_product(a, unit[i]); });
    const double norm_v = norm_of(v.size(), [&](std::size_t j) { return v[j].high(); });
    return std::max(0.0, (std::abs(product.high()) - norm_v * longest(norm(A.value), b, threshold)) / norm(unit));
}

double dot(std::span<const double> x, std::span<const double> y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// y <- y + a x
void add(std::span<double> y, double a, std::span<const double> x) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += a * x[i];
}

std::vector<double> residual(const CsrMatrix& A, std::span<const double> b, std::span<const double> x) {
    std::vector<double> r(b.size());
    multiply(A, x, r);
    for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - r[i];
    return r;
}

/// CGLS, conjugate gradients on A^T A z = A^T r: the residual r - A z tends to the part of r that no z makes. In the
/// scaling R A C of D. Ruiz (RAL-TR-2001-034), where rows and columns are about as large as each other, A^T w vanishes
/// for w = R (what is left of R r).
class LeastSquares {
  public:
    LeastSquares(const CsrMatrix& A, bool equilibrated)
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

    /// The bound that what is left of r proves in so many steps; 0: none. A proof takes two products: it is tried each
    /// time that |A^T r| has fallen to a tenth.
    double prove(std::span<const double> b, std::vector<double> r, double threshold, std::int64_t steps) {
        for (std::size_t i = 0; i < r.size(); ++i) r[i] *= rows_[i];
        std::vector<double> w(r.size());
        double bound = 0, next_try = 1e-14 * dot(r, r);
        const auto is_proved = [&] {
            for (std::size_t i = 0; i < w.size(); ++i) w[i] = rows_[i] * r[i];
            bound = bound_by(A_, w, b, threshold);
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

    const CsrMatrix& A_;
    std::vector<double> rows_, columns_, scaled_;
};

}  // namespace

double least_residual(const CsrMatrix& A, const ClosedRegions& regions, std::span<const double> b, double threshold) {
    if (!(threshold > 0) || !regions.any()) return 0;
    return bound_by(A, regions.project(b), b, threshold);
}

double least_residual(const CsrMatrix& A, std::span<const double> b, std::span<const double> x, double threshold,
                      std::int64_t steps) {
    if (!(threshold > 0)) return 0;
    if (norm(A.value) == 0) return norm(b);
    const std::vector<double> r = residual(A, b, x);
    if (const double bound = bound_by(A, r, b, threshold); bound > 0) return bound;
    const double bound = LeastSquares(A, true).prove(b, r, threshold, steps / 2);
    return bound > 0 ? bound : LeastSquares(A, false).prove(b, r, threshold, steps / 2);
}

void approach_least_residual(const CsrMatrix& A, std::span<const double> b, std::span<double> x, std::int64_t steps) {
    std::vector<double> r = residual(A, b, x);
    add(x, 1, LeastSquares(A, false).reduce(r, steps, [](double) { return false; }));
}

}  // namespace glsolve::inline v0_1
