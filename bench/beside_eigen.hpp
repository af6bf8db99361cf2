/// What benchmarks of whole solves beside Eigen's share.
#pragma once

#include <fmt/format.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <cstdio>
#include <glsolve/solver.hpp>
#include <random>
#include <string_view>
#include <vector>

#include "stopwatch.hpp"

namespace glsolve::bench {

template <class Number>
Eigen::SparseMatrix<Number, Eigen::RowMajor> to_eigen(CsrView A) {
    std::vector<Eigen::Triplet<Number>> entries;
    entries.reserve(A.value.size());
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            entries.emplace_back(i, A.column[at], static_cast<Number>(A.value[at]));
        }
    }
    Eigen::SparseMatrix<Number, Eigen::RowMajor> result(A.rows, A.columns);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
}

/// Normally distributed, with a fixed seed.
inline std::vector<double> normal(std::size_t n) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> distribution;
    std::vector<double> b(n);
    std::generate(b.begin(), b.end(), [&] { return distribution(random); });
    return b;
}

/// The times of some solves, and what came out of the last.
struct Times {
    std::vector<double> seconds;
    std::int64_t iterations = 0;
    double residual = 0;  // true, relative
};

inline void run_glsolve(Solver& solver, const std::vector<double>& b, Times& times) {
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    times.seconds.push_back(report.solve_seconds);
    times.iterations = report.iterations;
    times.residual = report.relative_residual;
}

inline void print(std::string_view what, const Times& t, double reference) {
    fmt::print("{:<22} {:>9.2f} s {:>9.3g} {:>9} {:>9.2f} ms {:>12.2e}\n", what, median(t.seconds),
               median(t.seconds) / reference, t.iterations, 1e3 * median(t.seconds) / static_cast<double>(t.iterations),
               t.residual);
    std::fflush(stdout);
}

}  // namespace glsolve::bench
