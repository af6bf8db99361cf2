#include "cores.hpp"

#include <cmath>

#include "stopwatch.hpp"

namespace glsolve::bench::chebyshev {

CoreChebyshev::CoreChebyshev(CsrView A)
    : offsets_(A.offsets.begin(), A.offsets.end()),
      columns_(A.column.begin(), A.column.end()),
      values_(A.value.begin(), A.value.end()) {
    for (const double number : diagonal(A)) reciprocal_.push_back(static_cast<float>(1 / number));
}

CoreChebyshev::Run CoreChebyshev::run(std::span<const float> right, const PublishedChebyshevRule& rule,
                                      [[maybe_unused]] int threads) const {
    const auto n = static_cast<std::ptrdiff_t>(right.size());
    Run done;
    const auto begin = Clock::now();
    std::vector<float> numbers(right.size(), 0.0f), residual(right.begin(), right.end()), direction = numbers;
    // Plain pointers: what follows is all the work, and no two of them overlap.
    float *const x = numbers.data(), *const r = residual.data(), *const p = direction.data();
    const float *const b = right.data(), *const m = reciprocal_.data(), *const value = values_.data();
    const int *const offset = offsets_.data(), *const column = columns_.data();
    double bb = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
    ChebyshevCoefficients step(rule.l_min, rule.l_max);
    done.relative_residual = bb > 0 ? 1 : 0;
    while (done.relative_residual > rule.tolerance && done.iterations < rule.max_iterations) {
        step.next();
        const float alpha = step.alpha(), beta = step.beta();
        double rr = 0;
#pragma omp parallel num_threads(threads)
        {
#pragma omp for schedule(static)
            for (std::ptrdiff_t i = 0; i < n; ++i) {
                p[i] = m[i] * r[i] + beta * p[i];  // p <- D^-1 r + beta p
                x[i] += alpha * p[i];              // x <- x + alpha p
            }
#pragma omp for schedule(static) reduction(+ : rr)
            for (std::ptrdiff_t i = 0; i < n; ++i) {
                float sum = b[i];  // r <- b - A x
                for (int k = offset[i]; k < offset[i + 1]; ++k) sum -= value[k] * x[column[k]];
                r[i] = sum;
                rr += static_cast<double>(sum) * static_cast<double>(sum);
            }
        }
        ++done.iterations;
        done.relative_residual = std::sqrt(rr / bb);
    }
    done.seconds = seconds_since(begin);
    done.x = std::move(numbers);
    return done;
}

}  // namespace glsolve::bench::chebyshev
