#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "factors/check_input.hpp"
#include "factors/fsai.hpp"
#include "factors/small_block.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset pairs_grain = 64;  // rows that are worth a thread

/// The places of A + A^T with |a_ij| + |a_ji|, and the diagonal of A: nothing cancels.
CsrMatrix sizes_both_ways(CsrView A) {
    std::vector<Triplet> entries;
    entries.reserve(A.value.size() * 2);
    const Offset* const row = A.offsets.data();
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset e = row[i]; e < row[i + 1]; ++e) {
            const Index j = A.column.data()[e];
            const double size = std::abs(A.value.data()[e]);
            entries.push_back({i, j, size});
            if (j != i) entries.push_back({j, i, size});
        }
    }
    return csr_from_triplets(A.rows, A.rows, entries);
}

/// The rows of G_L and the columns of G_U, in pairs.
class FsaiPairs {
  public:
    using Row = Eigen::Map<Eigen::VectorXd>;

    FsaiPairs(CsrView A, Index longest) : A_(A), S_(A.rows), memory_(longest, longest) {}

    /// The pair i, whose places are S = (..., i). Kolotilina and Yeremin, section 4: with e_k, k the last place,
    ///     A(S, S)^T g = e_k,   A(S, S) h = e_k,
    /// of which both end with w = (A(S, S)^-1)_kk. Divided by sqrt(|w|), one with the sign of w, they make
    /// (G_L A G_U)_ii = 1. False if that cannot be done safely.
    bool make(std::span<const Index> S, Row g, Row h) {
        const Eigen::Index k = g.size();
        S_.assign(S);
        Eigen::Ref<Eigen::MatrixXd> block = memory_.topLeftCorner(k, k);
        gather(A_, S_, block);
        // Rows and columns of lengths near 1: what is singular should not depend on units.
        const Eigen::VectorXd rows = block.rowwise().norm();
        if (!(rows.minCoeff() > 0)) return false;
        block = rows.cwiseInverse().asDiagonal() * block;
        const Eigen::VectorXd columns = block.colwise().norm();
        if (!(columns.minCoeff() > 0)) return false;
        block = block * columns.cwiseInverse().asDiagonal();
        // The block is R^-1 A(S, S) C^-1 then:  A(S, S)^-T = R^-1 block^-T C^-1,  A(S, S)^-1 = C^-1 block^-1 R^-1.
        const Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>> factor(block);  // in place
        constexpr double safe = 1e3 * std::numeric_limits<double>::epsilon();
        if (!(factor.rcond() > safe)) return false;
        g = Eigen::VectorXd::Unit(k, k - 1);
        h = factor.solve(g);
        g = factor.transpose().solve(Eigen::VectorXd(g));
        const double w = h(k - 1);
        if (!(std::abs(w) > safe * std::max(g.cwiseAbs().maxCoeff(), h.cwiseAbs().maxCoeff()))) return false;
        // w / (r_k c_k) is the last number of both, and sqrt(|.|) of it their divisor.
        const double divisor = std::sqrt(std::abs(w));
        g = g.cwiseQuotient(rows) * (std::sqrt(rows(k - 1) / columns(k - 1)) / divisor);
        h = h.cwiseQuotient(columns) * (std::sqrt(columns(k - 1) / rows(k - 1)) / std::copysign(divisor, w));
        return g.allFinite() && h.allFinite();
    }

  private:
    CsrView A_;
    SmallIndices S_;
    Eigen::MatrixXd memory_;
};

/// 1 / sqrt(|a_ii|) for both, one with the sign of a_ii.
void be_jacobi(double a_ii, FsaiPairs::Row g, FsaiPairs::Row h) {
    g.setZero();
    h.setZero();
    const double size = a_ii == 0 ? 1 : std::abs(a_ii);
    g(g.size() - 1) = 1 / std::sqrt(size);
    h(h.size() - 1) = std::copysign(1 / std::sqrt(size), a_ii);
}

}  // namespace

SparsityPattern nonsymmetric_fsai_pattern(CsrView A, const InversePattern& options) {
    constexpr const char* function = "nonsymmetric_fsai";
    require_square(A, function);
    return power_pattern(sizes_both_ways(A), entry_scale(A), options, PatternPart::lower, function);
}

FactorisedInverse nonsymmetric_fsai(CsrView A, const SparsityPattern& pattern) {
    require_fitting(A, pattern, PatternPart::lower, "nonsymmetric_fsai");
    FactorisedInverse made;
    made.lower = pattern.zeros();
    made.upper = made.lower;
    const std::vector<double> a = diagonal(A);
    const Index longest = pattern.longest_row();
    const auto fallbacks = parallel_parts(A.rows, pairs_grain, [&](Offset begin, Offset end) {
        FsaiPairs pairs(A, longest);
        Index count = 0;
        for (Index i = static_cast<Index>(begin); i < static_cast<Index>(end); ++i) {
            const std::span<const Index> S = pattern.row(i);
            const Offset at = pattern.offsets.data()[i];
            const FsaiPairs::Row g(made.lower.value.data() + at, static_cast<Eigen::Index>(S.size()));
            const FsaiPairs::Row h(made.upper.value.data() + at, static_cast<Eigen::Index>(S.size()));
            if (pairs.make(S, g, h)) continue;
            be_jacobi(a.data()[i], g, h);
            ++count;
        }
        return count;
    });
    made.upper = transpose(made.upper);
    made.fallback_rows = std::accumulate(fallbacks.begin(), fallbacks.end(), Index{0});
    return made;
}

FactorisedInverse nonsymmetric_fsai(CsrView A, const InversePattern& options) {
    return nonsymmetric_fsai(A, nonsymmetric_fsai_pattern(A, options));
}

}  // namespace glsolve::inline v0_1
