#include "amg/interpolation.hpp"

#include <algorithm>
#include <cmath>

#include "amg/sparse_product.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Row i of A without its weak entries, which the diagonal takes: calls entry(j, a) for those beside the diagonal and
/// returns the diagonal.
template <class Entry>
double each_strong(CsrView A, const Strength& S, Index i, const Entry& entry) {
    Offset s = S.offsets[i];
    const Offset s_end = S.offsets[i + std::size_t{1}];
    double diagonal = 0;
    for (const auto [j, a] : A.row(i)) {
        while (s < s_end && S.column[s] < j) ++s;
        if (s < s_end && S.column[s] == j) {
            entry(j, a);
        } else {
            diagonal += a;
        }
    }
    return diagonal;
}

}  // namespace

CsrMatrix condense(CsrView A, std::span<const Index> point_of, Index points) {
    std::vector<Index> first(static_cast<std::size_t>(points) + 1, A.rows);
    for (Index i = A.rows; i-- > 0;) first[point_of[i]] = i;
    for (std::size_t p = static_cast<std::size_t>(points); p-- > 0;) first[p] = std::min(first[p], first[p + 1]);
    CsrMatrix C;
    C.rows = C.columns = points;
    std::vector<double> square(static_cast<std::size_t>(points), 0.0);
    std::vector<Index> columns;
    for (Index p = 0; p < points; ++p) {
        columns.clear();
        for (Offset k = A.offsets[first[p]]; k < A.offsets[first[p + std::size_t{1}]]; ++k) {
            const Index q = point_of[A.column[k]];
            if (square[q] == 0) columns.push_back(q);
            square[q] += std::max(A.value[k] * A.value[k], 1e-300);
        }
        std::sort(columns.begin(), columns.end());
        for (const Index q : columns) {
            C.column.push_back(q);
            C.value.push_back(std::sqrt(square[q]));
            square[q] = 0;
        }
        C.offsets.push_back(static_cast<Offset>(C.column.size()));
    }
    return C;
}

CsrMatrix smoothed(CsrView A, const Strength* S, CsrView T, double omega) {
    const std::vector<double> own = diagonal(A);
    if (S != nullptr) {
        return multiply_rows(
            A,
            [&](Index i, const auto& entry) {
                double d = each_strong(A, *S, i, [](Index, double) {});
                if (!(d * own[i] > 0)) d = own[i];  // weak entries have eaten it up
                each_strong(A, *S, i, [&](Index j, double a) { entry(j, -omega / d * a); });
                entry(i, 1 - omega);
            },
            T);
    }
    return multiply_rows(
        A,
        [&](Index i, const auto& entry) {
            for (const auto [j, a] : A.row(i)) entry(j, (j == i ? 1.0 : 0.0) - omega / own[i] * a);
        },
        T);
}

}  // namespace glsolve::inline v0_1
