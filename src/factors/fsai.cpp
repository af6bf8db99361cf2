#include "factors/fsai.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <optional>

#include "base/parallel.hpp"
#include "factors/adaptive_pattern.hpp"
#include "factors/check_input.hpp"
#include "factors/shifts.hpp"
#include "factors/small_block.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset fsai_grain = 64;  // rows that are worth a thread

/// The rows of G, one after the other.
class FsaiRows {
  public:
    FsaiRows(CsrView A, std::span<const double> diagonal, Index longest)
        : A_(A), diagonal_(diagonal), S_(A.rows), memory_(longest, longest) {}

    /// Row i, whose places are S = (..., i). Kolotilina and Yeremin solve  A(S, S) y = e_k,  k the last place, and take
    /// g = y / sqrt(y_k).  With A(S, S) = L L^T, that is  L^T g = e_k.  False if L is not safe.
    bool make(std::span<const Index> S, Eigen::Map<Eigen::VectorXd> g) {
        const Eigen::Index k = g.size();
        S_.assign(S);
        Eigen::Ref<Eigen::MatrixXd> block = memory_.topLeftCorner(k, k);
        gather(A_, S_, block);
        const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(block);  // in place
        if (factor.info() != Eigen::Success) return false;
        for (Eigen::Index l = 0; l < k; ++l) {
            if (!is_safe_pivot(block(l, l) * block(l, l), diagonal_.data()[S.data()[l]], k)) return false;
        }
        g.setZero();
        g(k - 1) = 1;
        factor.matrixU().solveInPlace(g);
        return g.allFinite();
    }

  private:
    CsrView A_;
    std::span<const double> diagonal_;
    SmallIndices S_;
    Eigen::MatrixXd memory_;
};

bool may_be_negative_definite(CsrView A) { return A.rows > 0 && diagonal(A)[0] < 0; }

}  // namespace

SparsityPattern fsai_pattern(CsrView A, const FsaiOptions& options) {
    require_square(A, "fsai");
    if (may_be_negative_definite(A)) return fsai_pattern(negated(copy_of(A)), options);
    SparsityPattern start = power_pattern(A, entry_scale(A), options.pattern, PatternPart::lower, "fsai");
    return adaptive_pattern(A, std::move(start), options);
}

FactorisedInverse fsai(CsrView A, const SparsityPattern& pattern) {
    require_fitting(A, pattern, PatternPart::lower, "fsai");
    if (may_be_negative_definite(A)) {
        FactorisedInverse made = fsai(negated(copy_of(A)), pattern);
        made.upper = negated(std::move(made.upper));
        return made;
    }
    CsrMatrix G = pattern.zeros();
    const std::vector<double> a = diagonal(A);
    const Index longest = pattern.longest_row();
    const auto unsafe_rows = parallel_parts(A.rows, fsai_grain, [&](Offset begin, Offset end) {
        FsaiRows rows(A, a, longest);
        for (Index i = static_cast<Index>(begin); i < static_cast<Index>(end); ++i) {
            const std::span<const Index> S = pattern.row(i);
            double* const values = G.value.data() + G.offsets.data()[i];
            if (!rows.make(S, {values, static_cast<Eigen::Index>(S.size())})) return std::optional<Index>(i);
        }
        return std::optional<Index>();
    });
    for (const std::optional<Index>& row : unsafe_rows) {
        if (!row) continue;
        FactorisedInverse none;
        none.failure = fmt::format(
            "row {}: the small matrix of its {} places is not definite to working "
            "precision, so the matrix is not",
            *row + 1, pattern.row(*row).size());
        return none;
    }
    FactorisedInverse made;
    made.upper = transpose(G);
    made.lower = std::move(G);
    return made;
}

FactorisedInverse fsai(CsrView A, const FsaiOptions& options) { return fsai(A, fsai_pattern(A, options)); }

}  // namespace glsolve::inline v0_1
