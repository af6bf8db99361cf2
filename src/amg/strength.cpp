#include "amg/strength.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index strength_grain = 8192;  ///< rows that are worth a thread

/// The entries a_ij of each row i of A beside the diagonal for which the test strong_in(i) holds, of j and a_ij.
template <typename StrongIn>
Strength filter(CsrView A, const StrongIn& strong_in) {
    const auto visit = [&](Index i, const auto& take) {
        const auto strong = strong_in(i);
        for (const auto [j, a] : A.row(i)) {
            if (j != i && strong(j, a)) take(j);
        }
    };
    Strength S;
    S.offsets.assign(A.rows + std::size_t{1}, 0);
    parallel_for(A.rows, strength_grain, [&](int, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) visit(i, [&](Index) { ++S.offsets[i + std::size_t{1}]; });
    });
    std::partial_sum(S.offsets.begin(), S.offsets.end(), S.offsets.begin());
    S.column.resize(S.offsets.back());
    parallel_for(A.rows, strength_grain, [&](int, Index begin, Index end) {
        Offset at = S.offsets[begin];
        for (Index i = begin; i < end; ++i) visit(i, [&](Index j) { S.column[at++] = j; });
    });
    return S;
}

}  // namespace

Strength classical_strength(CsrView A, double threshold) {
    return filter(A, [&](Index i) {
        double sign = -1;
        for (const auto [j, a] : A.row(i)) {
            if (j == i && a < 0) sign = 1;
        }
        double greatest = 0;  // max_k(-a_ik)
        for (const auto [j, a] : A.row(i)) {
            if (j != i) greatest = std::max(greatest, sign * a);
        }
        const double least = threshold * greatest;
        return [sign, least](Index, double a) { return sign * a >= least && sign * a > 0; };
    });
}

Strength symmetric_strength(CsrView A, double threshold) {
    std::vector<double> root = diagonal(A);  // sqrt |a_ii|
    for (double& a : root) a = std::sqrt(std::abs(a));
    return filter(A, [&](Index i) {
        // In this order the product is the same, rounding included, for i and j as for j and i.
        return [&, i](Index j, double a) { return std::abs(a) > threshold * (root[i] * root[j]); };
    });
}

bool is_symmetric(const Strength& S) {
    std::atomic<bool> symmetric = true;
    parallel_for(S.size(), strength_grain, [&](int, Index begin, Index end) {
        for (Index i = begin; i < end && symmetric; ++i) {
            for (const Index j : S.row(i)) {
                if (!std::binary_search(S.row(j).begin(), S.row(j).end(), i)) symmetric = false;
            }
        }
    });
    return symmetric;
}

Strength united(const Strength& S, const Strength& T) {
    Strength both;
    for (Index i = 0; i < S.size(); ++i) {
        std::set_union(S.row(i).begin(), S.row(i).end(), T.row(i).begin(), T.row(i).end(),
                       std::back_inserter(both.column));
        both.offsets.push_back(static_cast<Offset>(both.column.size()));
    }
    return both;
}

// A counting sort. As rows come in ascending order, so do the columns of each row of the transpose.
Strength transpose(const Strength& S) {
    Strength T;
    T.offsets.assign(S.offsets.size(), 0);
    for (const Index j : S.column) ++T.offsets[j + std::size_t{1}];
    std::partial_sum(T.offsets.begin(), T.offsets.end(), T.offsets.begin());
    T.column.resize(S.column.size());
    std::vector<Offset> next(T.offsets.begin(), T.offsets.end() - 1);
    for (Index i = 0; i < S.size(); ++i) {
        for (const Index j : S.row(i)) T.column[next[j]++] = i;
    }
    return T;
}

}  // namespace glsolve::inline v0_1
