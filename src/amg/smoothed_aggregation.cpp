#include "amg/smoothed_aggregation.hpp"

#include <algorithm>
#include <cmath>

#include "amg/sparse_product.hpp"
#include "core/random.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index grain = 1 << 14;
constexpr int power_steps = 12;
constexpr double power_margin = 1.1;  // the power method comes from below

/// Row i of A without its weak entries, which the diagonal takes: calls entry(j, a) for those beside the diagonal and
/// returns the diagonal.
template <class Entry>
double each_strong(const CsrMatrix& A, const Strength& S, Index i, const Entry& entry) {
    Offset s = S.offsets[i];
    const Offset s_end = S.offsets[i + std::size_t{1}];
    double diagonal = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
        const Index j = A.column[k];
        while (s < s_end && S.column[s] < j) ++s;
        if (s < s_end && S.column[s] == j) {
            entry(j, A.value[k]);
        } else {
            diagonal += A.value[k];
        }
    }
    return diagonal;
}

double diagonal_of(const CsrMatrix& A, Index i) {
    const auto begin = A.column.begin() + A.offsets[i], end = A.column.begin() + A.offsets[i + std::size_t{1}];
    const auto at = std::lower_bound(begin, end, i);
    return at != end && *at == i ? A.value[static_cast<std::size_t>(at - A.column.begin())] : 0.0;
}

/// max over the rows of sum |a_ij| / |a_ii|
double gershgorin(const CsrMatrix& A) {
    std::vector<double> largest(static_cast<std::size_t>(parallel_ranges(A.rows, grain)), 0.0);
    parallel_for(A.rows, grain, [&](int range, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            double sum = 0, d = 0;
            for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
                sum += std::abs(A.value[k]);
                if (A.column[k] == i) d = std::abs(A.value[k]);
            }
            if (d > 0) largest[range] = std::max(largest[range], sum / d);
        }
    });
    return *std::max_element(largest.begin(), largest.end());
}

/// Growth of a random vector in the last of some steps with D^-1 A.
double power_method(const CsrMatrix& A) {
    Random random(7);
    std::vector<double> x(static_cast<std::size_t>(A.rows)), y(x.size());
    for (double& v : x) v = random.uniform() - 0.5;
    double growth = 0;
    for (int step = 0; step < power_steps; ++step) {
        std::vector<double> squares(static_cast<std::size_t>(parallel_ranges(A.rows, grain)), 0.0);
        parallel_for(A.rows, grain, [&](int range, Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                double sum = 0, d = 0;
                for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
                    sum += A.value[k] * x[A.column[k]];
                    if (A.column[k] == i) d = A.value[k];
                }
                y[i] = d != 0 ? sum / d : 0;
                squares[range] += y[i] * y[i];
            }
        });
        double size = 0;
        for (const double s : squares) size += s;
        growth = std::sqrt(size);
        if (growth == 0) return 0;
        for (double& v : y) v /= growth;
        std::swap(x, y);
    }
    return growth;
}

}  // namespace

CsrMatrix condense(const CsrMatrix& A, std::span<const Index> point_of, Index points) {
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

CsrMatrix smoothed(const CsrMatrix& A, const Strength* S, const CsrMatrix& T, double omega) {
    if (S != nullptr) {
        return multiply_rows(
            A.rows,
            [&](Index i, const auto& entry) {
                double d = each_strong(A, *S, i, [](Index, double) {});
                const double own = diagonal_of(A, i);
                if (!(d * own > 0)) d = own;  // weak entries have eaten it up
                each_strong(A, *S, i, [&](Index j, double a) { entry(j, -omega / d * a); });
                entry(i, 1 - omega);
            },
            T);
    }
    return multiply_rows(
        A.rows,
        [&](Index i, const auto& entry) {
            const double d = diagonal_of(A, i);
            for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
                entry(A.column[k], (A.column[k] == i ? 1.0 : 0.0) - omega / d * A.value[k]);
            }
        },
        T);
}

double spectral_radius(const CsrMatrix& A) {
    const double bound = gershgorin(A);
    // Of an M-matrix whose rows sum to nearly zero it is 2, and close.
    if (bound <= 2 + 1e-6) return bound;
    return std::min(bound, power_margin * power_method(A));
}

}  // namespace glsolve::inline v0_1
