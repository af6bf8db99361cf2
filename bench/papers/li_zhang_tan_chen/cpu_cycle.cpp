#include "cpu_cycle.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glsolve/error.hpp>

#include "amg/near_null_space.hpp"
#include "multigrid/coarse_inverse.hpp"

namespace glsolve::bench::amg {
namespace {

constexpr double damped_part = 0.2, above = 1.05;  // as src/multigrid/level.cpp has them

/// Numbers of matrices that a loop reads: below, threads take longer to meet than to work.
constexpr Offset worth_threads = 50'000;

std::size_t rows_of(CsrView A) { return static_cast<std::size_t>(A.rows); }

/// max over the rows of sum |a_ij| / |a_ii|
double gershgorin(CsrView A, const std::vector<double>& reciprocal) {
    double most = 0;
    for (std::size_t i = 0; i < rows_of(A); ++i) {
        double sum = 0;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += std::abs(A.value[static_cast<std::size_t>(k)]);
        most = std::max(most, sum * std::abs(reciprocal[i]));
    }
    return most;
}

/// (A x)_i: where all the time goes.
inline double row_sum(CsrView A, std::size_t i, const double* x) {
    const double* value = A.value.data();
    const Index* column = A.column.data();
    double sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += value[k] * x[column[k]];
    return sum;
}

}  // namespace

CpuCycle::Level::Level(CsrView matrix, const AmgLevel& level, MultigridSmoother smoother)
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
    const CsrView coarsest = levels_.back().A;
    const NearNullSpace null = constants(coarsest.rows);
    inverse_ = invert(coarsest, std::vector<double>(rows_of(coarsest), 1.0), null.values, null.vectors).numbers;
}

/// body(begin, end) for ranges of the rows, which together read so many numbers of matrices.
template <class Body>
void CpuCycle::over_rows(std::size_t rows, Offset numbers, const Body& body) const {
    if (threads_ == 1 || numbers < worth_threads) return body(std::size_t{0}, rows);
    const auto threads = static_cast<std::size_t>(threads_);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
#endif
    for (std::size_t k = 0; k < threads; ++k) body(rows * k / threads, rows * (k + 1) / threads);
}

double CpuCycle::improve(std::span<double> x, std::span<const double> b, double enough) {
    Level& finest = levels_.front();
    std::atomic<double> squares = 0;  // of |b - A x|
    over_rows(x.size(), finest.A.nonzeros(), [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            finest.b[i] = b[i] - row_sum(finest.A, i, x.data());
            sum += finest.b[i] * finest.b[i];
        }
        squares += sum;
    });
    const double norm = std::sqrt(squares);
    if (norm <= enough) return norm;
    cycle();
    over_rows(x.size(), finest.A.rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) x[i] += finest.x[i];
    });
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
    over_rows(level.x.size(), level.A.rows, [&](std::size_t begin, std::size_t end) {
        std::fill(level.x.data() + begin, level.x.data() + end, 0.0);
    });
    const std::vector<Index>& coarse = level.kinds[0];
    over_rows(coarse.size(), std::ssize(coarse), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const auto i = static_cast<std::size_t>(coarse[n]);
            level.x[i] = level.d[i] * level.b[i];
        }
    });
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
    const std::vector<Index>& rows = level.kinds[static_cast<std::size_t>(kind)];
    double *x = level.x.data(), *made = level.spare.data();
    // A share of the rows has about that share of the nonzeros.
    const Offset numbers = level.A.nonzeros() * std::ssize(rows) / std::max<Offset>(level.A.rows, 1);
    over_rows(rows.size(), numbers, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const auto i = static_cast<std::size_t>(rows[n]);
            made[n] = x[i] + level.d[i] * (level.b[i] - row_sum(level.A, i, x));
        }
    });
    over_rows(rows.size(), std::ssize(rows), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) x[static_cast<std::size_t>(rows[n])] = made[n];
    });
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
        double* x = level.x.data();
        const double *b = level.b.data(), *d = level.d.data();
        double* made = level.spare.data();  // the x before, where there is one
        if (from_zero && step == 0) {
            over_rows(n, level.A.rows, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) x[i] = alpha * d[i] * b[i];
            });
            continue;
        }
        // Before the first x there is none, and from zero the x before the second one is zero.
        const bool has_past = from_zero ? step > 1 : step > 0;
        over_rows(n, level.A.nonzeros(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const double past = has_past ? made[i] : 0;
                made[i] = x[i] + alpha * d[i] * (b[i] - row_sum(level.A, i, x)) + g * (x[i] - past);
            }
        });
        level.x.swap(level.spare);
    }
}

void CpuCycle::restrict_residual(int k) {
    Level& fine = levels_[static_cast<std::size_t>(k)];
    Level& coarse = levels_[static_cast<std::size_t>(k) + 1];
    const double* x = fine.x.data();
    over_rows(fine.r.size(), fine.A.nonzeros(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) fine.r[i] = fine.b[i] - row_sum(fine.A, i, x);
    });
    over_rows(coarse.b.size(), fine.Pt.nonzeros(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) coarse.b[i] = row_sum(fine.Pt, i, fine.r.data());
    });
}

void CpuCycle::interpolate(int k) {
    Level& fine = levels_[static_cast<std::size_t>(k)];
    const double* x = levels_[static_cast<std::size_t>(k) + 1].x.data();
    over_rows(fine.x.size(), fine.P.nonzeros(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) fine.x[i] += row_sum(fine.P, i, x);
    });
}

void CpuCycle::multiply(int k) {
    Level& level = levels_[static_cast<std::size_t>(k)];
    over_rows(level.r.size(), level.A.nonzeros(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) level.r[i] = row_sum(level.A, i, level.x.data());
    });
}

/// x <- A^-1 b. Four columns at once, so that x is written a quarter as often.
void CpuCycle::solve(Level& level) {
    const std::size_t n = level.x.size();
    over_rows(n, std::ssize(inverse_), [&](std::size_t begin, std::size_t end) {
        double* x = level.x.data();
        std::fill(x + begin, x + end, 0.0);
        std::size_t j = 0;
        for (; j + 4 <= n; j += 4) {
            const double *b = level.b.data() + j, *a = inverse_.data() + j * n;
            const double b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
            for (std::size_t i = begin; i < end; ++i) {
                x[i] += (a[i] * b0 + a[n + i] * b1) + (a[2 * n + i] * b2 + a[3 * n + i] * b3);
            }
        }
        for (; j < n; ++j) {
            for (std::size_t i = begin; i < end; ++i) x[i] += inverse_[j * n + i] * level.b[j];
        }
    });
}

}  // namespace glsolve::bench::amg
