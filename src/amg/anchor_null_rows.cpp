#include "amg/sparse_product.hpp"

#include <cmath>
#include <vector>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double noise = 1e-13;          // of a row, beside what its terms would add up to without cancelling
constexpr Index anchoring_grain = 4096;  // rows that are worth a thread

/// sum_k p_ki^2 |a_kk|: the i-th diagonal entry of P^T A P, had A nothing beside its diagonal.
double without_cancelling(Index i, CsrView Pt, std::span<const double> diagonal_of_A) {
    double sum = 0;
    for (const auto [k, p] : Pt.row(i)) sum += p * p * std::abs(diagonal_of_A[k]);
    return sum;
}

}  // namespace

void anchor_null_rows(CsrMatrix& coarse, CsrView A, CsrView Pt) {
    const std::vector<double> d = diagonal(A);
    parallel_for(coarse.rows, anchoring_grain, [&](int, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const double size = without_cancelling(i, Pt, d);
            double row = 0;
            for (const double a : coarse.row(i).values()) row += std::abs(a);
            if (row > noise * size) continue;
            for (const auto [j, a] : coarse.row(i)) a = j == i ? size : 0;
        }
    });
}

}  // namespace glsolve::inline v0_1
