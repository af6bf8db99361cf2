#include "amg/anchor_null_rows.hpp"

#include <cmath>
#include <vector>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double noise = 1e-13;          // of a row, beside what its terms would add up to without cancelling
constexpr Index anchoring_grain = 4096;  // rows that are worth a thread

/// sum_k p_ki^2 |a_kk|: the i-th diagonal entry of P^T A P, had A nothing beside its diagonal.
double without_cancelling(Index i, const CsrMatrix& Pt, std::span<const double> diagonal_of_A) {
    double sum = 0;
    for (Offset k = Pt.offsets[i]; k < Pt.offsets[i + std::size_t{1}]; ++k) {
        sum += Pt.value[k] * Pt.value[k] * std::abs(diagonal_of_A[Pt.column[k]]);
    }
    return sum;
}

}  // namespace

void anchor_null_rows(CsrMatrix& coarse, const CsrMatrix& A, const CsrMatrix& Pt) {
    const std::vector<double> d = diagonal(A);
    parallel_for(coarse.rows, anchoring_grain, [&](int, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const Offset first = coarse.offsets[i], last = coarse.offsets[i + std::size_t{1}];
            const double size = without_cancelling(i, Pt, d);
            double row = 0;
            for (Offset k = first; k < last; ++k) row += std::abs(coarse.value[k]);
            if (row > noise * size) continue;
            for (Offset k = first; k < last; ++k) coarse.value[k] = coarse.column[k] == i ? size : 0;
        }
    });
}

}  // namespace glsolve::inline v0_1
