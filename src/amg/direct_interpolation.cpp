#include <algorithm>

#include "amg/interpolation.hpp"
#include "amg/interpolation_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Entries of a row beside the diagonal that have the same sign.
struct SameSign {
    double all = 0;     ///< their sum
    double coarse = 0;  ///< the sum of those that are interpolated from

    void add(double a, bool is_coarse) {
        all += a;
        if (is_coarse) coarse += a;
    }
    /// alpha or beta: those interpolated from stand for all.
    double factor() const { return coarse != 0 ? all / coarse : 0; }
    /// Where there is none to interpolate from, they go to the diagonal.
    double lumped() const { return coarse != 0 ? 0 : all; }
};

/// w_ij = -alpha a_ij / a_ii  for the negative entries of C points that i depends on,  alpha = sum_k a_ik / sum_j a_ij
/// over all negative entries k and over these j; likewise beta for the positive ones.
void interpolate_directly(CsrView A, const Strength& S, const Splitting& splitting, Index i, Row& row) {
    DependsOn depends_on(S, i);
    double diagonal = 0;
    SameSign negative, positive;
    for (const auto [j, a] : A.row(i)) {
        if (j == i) {
            diagonal = a;
            continue;
        }
        const bool is_coarse = depends_on(j) && splitting[j] == Point::coarse;
        (a < 0 ? negative : positive).add(a, is_coarse);
        if (is_coarse) row.push_back({j, a});
    }
    diagonal += negative.lumped() + positive.lumped();
    const double alpha = negative.factor(), beta = positive.factor();
    for (RowEntry& w : row) w.value *= -(w.value < 0 ? alpha : beta) / diagonal;
    if (diagonal == 0) row.clear();
}

}  // namespace

CsrMatrix direct_interpolation(CsrView A, const Strength& S, const Splitting& splitting, Truncation truncation) {
    return interpolation_rows(splitting, truncation, [&] {
        return [&](Index i, Row& row) { interpolate_directly(A, S, splitting, i, row); };
    });
}

}  // namespace glsolve::inline v0_1
