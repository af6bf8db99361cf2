#include "cpu_cycle.hpp"

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "amg/near_null_space.hpp"
#include "multigrid/coarse_inverse.hpp"

namespace glsolve::bench {
namespace {

constexpr double damped_part = 0.25, above = 1.05;  // as src/multigrid/level.cpp has them

std::size_t rows_of(const CsrMatrix& A) { return static_cast<std::size_t>(A.rows); }

/// max over the rows of sum |a_ij| / |a_ii|
double gershgorin(const CsrMatrix& A, const std::vector<double>& reciprocal) {
    double most = 0;
    for (std::size_t i = 0; i < rows_of(A); ++i) {
        double sum = 0;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += std::abs(A.value[static_cast<std::size_t>(k)]);
        most = std::max(most, sum * std::abs(reciprocal[i]));
    }
    return most;
}

/// (A x)_i: where all the time goes.
inline double row_sum(const CsrMatrix& A, std::size_t i, const double* x) {
    const double* value = A.value.data();
    const Index* column = A.column.data();
    double sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += value[k] * x[column[k]];
    return sum;
}

}  // namespace

CpuCycle::Level::Level(const CsrMatrix& matrix, const AmgLevel& level, MultigridSmoother smoother)
    : A(matrix), P(level.P), Pt(level.Pt), d(glsolve::diagonal(matrix)), x(rows_of(matrix), 1.0), b(x), r(x), spare(x) {
    for (double& number : d) number = 1 / number;
    largest = std::min(above * level.radius, gershgorin(A, d));
    smallest = std::min(damped_part * level.radius, largest);
    if (smoother != MultigridSmoother::cf_jacobi) return;
    for (std::size_t i = 0; i < level.splitting.size(); ++i) {
        kinds[level.splitting[i] == Point::coarse ? 0 : 1].push_back(static_cast<Index>(i));
    }
}

CpuCycle::CpuCycle(const Hierarchy& hierarchy, MultigridSmoother smoother, int steps)
    : smoother_(smoother), steps_(steps) {
    if (smoother != MultigridSmoother::chebyshev && smoother != MultigridSmoother::cf_jacobi) {
        throw Error("the cycle on the CPU smooths with chebyshev or cf-jacobi");
    }
    levels_.reserve(static_cast<std::size_t>(hierarchy.count()));
    for (int k = 0; k < hierarchy.count(); ++k) levels_.emplace_back(hierarchy.matrix(k), hierarchy.level(k), smoother);
    const CsrMatrix& coarsest = levels_.back().A;
    const NearNullSpace null = constants(coarsest.rows);
    inverse_ = invert(coarsest, std::vector<double>(rows_of(coarsest), 1.0), null.values, null.vectors).numbers;
}

double CpuCycle::improve(std::span<double> x, std::span<const double> b, double enough) {
    Level& finest = levels_.front();
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        finest.b[i] = b[i] - row_sum(finest.A, i, x.data());
        squares += finest.b[i] * finest.b[i];
    }
    const double norm = std::sqrt(squares);
    if (norm <= enough) return norm;
    cycle();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += finest.x[i];
    return norm;
}

void CpuCycle::cycle() {
    const int last = static_cast<int>(levels_.size()) - 1;
    for (int k = 0; k < last; ++k) {
        smooth_from_zero(k);
        restrict_residual(k);
    }
    smooth_from_zero(last);
    for (int k = last - 1; k >= 0; --k) {
        interpolate(k);
        smooth_adjoint(k);
    }
}

void CpuCycle::smooth_from_zero(int k) {
    Level& level = levels_[static_cast<std::size_t>(k)];
    if (&level == &levels_.back()) return solve(level);
    if (smoother_ == MultigridSmoother::chebyshev) return chebyshev(level, true);
    // Of the first step the C rows: x <- D^-1 b, zeros in all others.
    std::fill(level.x.begin(), level.x.end(), 0.0);
    for (const Index row : level.kinds[0]) {
        const auto i = static_cast<std::size_t>(row);
        level.x[i] = level.d[i] * level.b[i];
    }
    relax(level, 1);
    for (int step = 1; step < steps_; ++step) {
        relax(level, 0);
        relax(level, 1);
    }
}

void CpuCycle::smooth_adjoint(int k) {
    Level& level = levels_[static_cast<std::size_t>(k)];
    if (smoother_ == MultigridSmoother::chebyshev) return chebyshev(level, false);
    for (int step = 0; step < steps_; ++step) {
        relax(level, 1);
        relax(level, 0);
    }
}

/// x <- x + D^-1 (b - A x) in the rows of a kind. New values wait until all of them are there, as Jacobi has it.
void CpuCycle::relax(Level& level, int kind) {
    const std::vector<Index>& rows = level.kinds[kind];
    const double* x = level.x.data();
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const auto i = static_cast<std::size_t>(rows[n]);
        level.spare[n] = x[i] + level.d[i] * (level.b[i] - row_sum(level.A, i, x));
    }
    for (std::size_t n = 0; n < rows.size(); ++n) level.x[static_cast<std::size_t>(rows[n])] = level.spare[n];
}

/// Steps of the Chebyshev iteration for the bounds of the level (src/smoothers/polynomial.hpp):
///     x_k+1 <- x_k + alpha_k D^-1 (b - A x_k) + g (x_k - x_k-1)
void CpuCycle::chebyshev(Level& level, bool from_zero) {
    const double centre = 0.5 * (level.largest + level.smallest), half = 0.5 * (level.largest - level.smallest);
    const std::size_t n = rows_of(level.A);
    double alpha = 0;
    for (int step = 0; step < steps_; ++step) {
        const double beta = step == 0 ? 0 : (step == 1 ? 0.5 : 0.25) * half * alpha * half * alpha;
        const double next = 1 / (centre - (step == 0 ? 0 : beta / alpha));
        const double g = step == 0 ? 0 : next * beta / alpha;
        alpha = next;
        const double *x = level.x.data(), *b = level.b.data(), *d = level.d.data();
        double* made = level.spare.data();  // the x before, where there is one
        if (from_zero && step == 0) {
            for (std::size_t i = 0; i < n; ++i) level.x[i] = alpha * d[i] * b[i];
            continue;
        }
        // Before the first x there is none, and from zero the x before the second one is zero.
        const bool has_past = from_zero ? step > 1 : step > 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double past = has_past ? made[i] : 0;
            made[i] = x[i] + alpha * d[i] * (b[i] - row_sum(level.A, i, x)) + g * (x[i] - past);
        }
        level.x.swap(level.spare);
    }
}

void CpuCycle::restrict_residual(int k) {
    Level& fine = levels_[static_cast<std::size_t>(k)];
    Level& coarse = levels_[static_cast<std::size_t>(k) + 1];
    const double* x = fine.x.data();
    for (std::size_t i = 0; i < fine.r.size(); ++i) fine.r[i] = fine.b[i] - row_sum(fine.A, i, x);
    for (std::size_t i = 0; i < coarse.b.size(); ++i) coarse.b[i] = row_sum(fine.Pt, i, fine.r.data());
}

void CpuCycle::interpolate(int k) {
    Level& fine = levels_[static_cast<std::size_t>(k)];
    const double* x = levels_[static_cast<std::size_t>(k) + 1].x.data();
    for (std::size_t i = 0; i < fine.x.size(); ++i) fine.x[i] += row_sum(fine.P, i, x);
}

/// x <- A^-1 b. Four columns at once, so that x is written a quarter as often.
void CpuCycle::solve(Level& level) {
    const std::size_t n = level.x.size();
    double* x = level.x.data();
    std::fill(level.x.begin(), level.x.end(), 0.0);
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        const double *b = level.b.data() + j, *a = inverse_.data() + j * n;
        const double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += (a[i] * b0 + a[n + i] * b1) + (a[2 * n + i] * b2 + a[3 * n + i] * b3);
        }
    }
    for (; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) x[i] += inverse_[j * n + i] * level.b[j];
    }
}

}  // namespace glsolve::bench
