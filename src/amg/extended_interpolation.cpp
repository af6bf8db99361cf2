#include <glsolve/csr.hpp>

#include "amg/interpolation.hpp"
#include "amg/interpolation_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Row i of "extended+i":
///
///     w_ij = -(a_ij + sum_k a_ik b_kj / b_k) / d
///        d = a_ii + sum_n a_in + sum_k a_ik b_ki / b_k
///      b_k = b_ki + sum_j b_kj,    b_kl = a_kl, or 0 where it has the sign of a_kk
///
/// for the C points j that i depends on, or that an F point does which i depends on; over the F points k that i depends
/// on; over all other entries n of the row. Where b_k = 0, k counts among those.
class ExtendedRow {
  public:
    ExtendedRow(CsrView A, std::span<const double> diagonal, const Strength& S, const Splitting& splitting)
        : A_(A), diagonal_(diagonal), S_(S), splitting_(splitting), place_(splitting.size(), absent) {}

    void operator()(Index i, Row& row) {
        find_coarse(i, row);
        double d = 0;
        DependsOn depends_on(S_, i);
        for (const auto [j, a] : A_.row(i)) {
            const bool is_strong = depends_on(j);
            if (place_[j] != absent) {
                row[place_[j]].value += a;
            } else if (is_strong) {
                distribute(a, j, i, row, d);
            } else {
                d += a;
            }
        }
        for (RowEntry& w : row) {
            place_[w.column] = absent;
            w.value /= -d;
        }
        if (d == 0) row.clear();
    }

  private:
    void find_coarse(Index i, Row& row) {
        const auto take = [&](Index j) {
            if (splitting_[j] != Point::coarse || place_[j] != absent) return;
            place_[j] = static_cast<Index>(row.size());
            row.push_back({j, 0});
        };
        for (const Index k : S_.row(i)) {
            take(k);
            if (splitting_[k] == Point::coarse) continue;
            for (const Index j : S_.row(k)) take(j);
        }
    }

    /// a_ik, over what k is connected to: the C points of the row, and i itself.
    void distribute(double a_ik, Index k, Index i, Row& row, double& d) {
        double b_k = 0;
        connected_.clear();
        for (const auto [j, a] : A_.row(k)) {
            if ((place_[j] == absent && j != i) || (a < 0) == (diagonal_[k] < 0)) continue;
            connected_.push_back({j, a});
            b_k += a;
        }
        if (b_k == 0) {
            d += a_ik;
            return;
        }
        for (const auto& [j, b_kj] : connected_) (j == i ? d : row[place_[j]].value) += a_ik / b_k * b_kj;
    }

    static constexpr Index absent = -1;
    CsrView A_;
    std::span<const double> diagonal_;
    const Strength& S_;
    const Splitting& splitting_;
    std::vector<Index> place_;  ///< of a C point in the row
    Row connected_;             ///< b_kl for one k
};

}  // namespace

CsrMatrix extended_interpolation(CsrView A, const Strength& S, const Splitting& splitting, Truncation truncation) {
    const std::vector<double> a_kk = diagonal(A);
    return interpolation_rows(splitting, truncation, [&] { return ExtendedRow(A, a_kk, S, splitting); });
}

}  // namespace glsolve::inline v0_1
