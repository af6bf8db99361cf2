#include "factors/adaptive_pattern.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "base/require_range.hpp"
#include "factors/joined_rows.hpp"
#include "factors/largest_gains.hpp"
#include "factors/small_block.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset adaptive_grain = 64;  // rows that are worth a thread

/// Row i of a unit triangle G that minimises  psi = (G A G^T)_ii  on its places. With S, the places without i itself,
/// and A(S, S) = L L^T:
///     l = L^-1 A(S, i),   psi = a_ii - l^T l,   G_iS = -(L^-T l)^T.
/// Kaporin's condition number of G A G^T, with its rows scaled, is the product of all psi over det A. The gradient of
/// psi at a place j outside S is 2 (A G_i^T)_j. That place alone, with all others kept, would lower psi by
/// (A G_i^T)_j^2 / a_jj, which does not depend on how A is scaled.
class GrowingRow {
  public:
    GrowingRow(CsrView A, std::span<const double> diagonal, const FsaiOptions& options, Index longest)
        : A_(A), diagonal_(diagonal), options_(options), S_(A.rows), slope_(diagonal.size(), 0) {
        const Eigen::Index most = std::min(longest + options.adaptive_steps * options.entries_a_step, A.rows);
        L_.resize(most, most);
        l_.resize(most);
        g_.resize(most);
    }

    /// Row i, begun with `start` (..., i). It stays valid until the next call.
    std::span<const Index> make(Index i, std::span<const Index> start) {
        S_.clear();
        row_.assign(start.begin(), start.end());
        bool safe = std::all_of(start.begin(), start.end() - 1, [&](Index j) { return append(j); });
        double before = diagonal_.data()[i];
        for (int step = 0; safe && step < options_.adaptive_steps; ++step) {
            const double psi = minimise(i);
            safe = is_safe_pivot(psi, diagonal_.data()[i], S_.count() + 1);
            if (!safe || (step > 0 && psi > (1 - options_.least_gain) * before)) break;
            before = psi;
            choose(i);
            if (best_.empty()) break;
            for (const Index j : best_) {
                safe = safe && append(j);
                if (safe) row_.push_back(j);
            }
        }
        std::sort(row_.begin(), row_.end());
        return row_;
    }

  private:
    auto L() { return L_.topLeftCorner(S_.count(), S_.count()).triangularView<Eigen::Lower>(); }

    /// v = A(S, j)
    void gather_column(Index j, Eigen::VectorXd& v) const {
        v.head(S_.count()).setZero();
        const Offset* const row = A_.offsets.data();
        for (Offset e = row[j]; e < row[j + 1]; ++e) {
            const Index k = S_.place(A_.column.data()[e]);
            if (k >= 0) v(k) = A_.value.data()[e];
        }
    }
    /// S gets j, and L a row. False, and nothing is done, if its pivot is not safe.
    bool append(Index j) {
        const Index k = S_.count();
        gather_column(j, l_);
        L().solveInPlace(l_.head(k));
        const double pivot = diagonal_.data()[j] - l_.head(k).squaredNorm();
        if (!is_safe_pivot(pivot, diagonal_.data()[j], k + 1)) return false;
        L_.row(k).head(k) = l_.head(k);
        L_(k, k) = std::sqrt(pivot);
        S_.add(j);
        return true;
    }
    /// -G_iS goes to g_; psi is returned.
    double minimise(Index i) {
        const Index k = S_.count();
        gather_column(i, g_);
        L().solveInPlace(g_.head(k));
        const double psi = diagonal_.data()[i] - g_.head(k).squaredNorm();
        L().transpose().solveInPlace(g_.head(k));
        return psi;
    }
    /// Adds g_ij times row j of A to the slope, left of i.
    void add_row(Index i, Index j, double g) {
        const Offset* const row = A_.offsets.data();
        for (Offset e = row[j]; e < row[j + 1]; ++e) {
            const Index c = A_.column.data()[e];
            if (c >= i) break;
            if (S_.place(c) >= 0) continue;
            if (slope_.data()[c] == 0) touched_.push_back(c);  // twice where sums are 0 on their way: no harm
            slope_.data()[c] += g * A_.value.data()[e];
        }
    }
    /// The places that lower psi most go to best_.
    void choose(Index i) {
        best_.clear();
        touched_.clear();
        add_row(i, i, 1);
        for (Index k = 0; k < S_.count(); ++k) add_row(i, S_.members()[static_cast<std::size_t>(k)], -g_(k));
        gains_.clear();
        for (const Index j : touched_) {
            const double slope = slope_.data()[j], a_jj = diagonal_.data()[j];
            slope_.data()[j] = 0;
            if (slope != 0 && a_jj > 0) gains_.add(j, slope * slope / a_jj);
        }
        gains_.each_of_best(options_.entries_a_step, [&](Index j) { best_.push_back(j); });
    }

    CsrView A_;
    std::span<const double> diagonal_;
    const FsaiOptions& options_;
    SmallIndices S_;
    Eigen::MatrixXd L_;
    Eigen::VectorXd l_, g_;
    std::vector<double> slope_;  // (A G_i^T)_j by j, zeros between two rows
    std::vector<Index> row_, best_, touched_;
    LargestGains gains_;
};

}  // namespace

SparsityPattern adaptive_pattern(CsrView A, SparsityPattern start, const FsaiOptions& options) {
    require_range("fsai", "adaptive_steps", options.adaptive_steps, 0, 200);
    require_range("fsai", "entries_a_step", options.entries_a_step, 1, 100);
    require_range("fsai", "adaptive_steps * entries_a_step", options.adaptive_steps * options.entries_a_step, 0, 2000);
    require_range("fsai", "least_gain", options.least_gain, 0.0, 1.0);
    if (options.adaptive_steps == 0) return start;
    const std::vector<double> a = diagonal(A);
    const Index longest = start.longest_row();
    return joined_rows(A.rows, adaptive_grain, [&](Index begin, Index end, const auto& add_row) {
        GrowingRow row(A, a, options, longest);
        for (Index i = begin; i < end; ++i) add_row(row.make(i, start.row(i)));
    });
}

}  // namespace glsolve::inline v0_1
