#include "factors/spai.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/norm.hpp"
#include "base/parallel.hpp"
#include "base/require_range.hpp"
#include "factors/joined_rows.hpp"
#include "factors/largest_gains.hpp"
#include "factors/small_block.hpp"
#include "matrix/dense_factors.hpp"

namespace glsolve::inline v0_1 {
namespace {

// One column of SPAI.

/// Minimises |A m - e_k| over the m with given places J. Only the rows I that have entries in the columns J matter:
/// with the dense block A(I, J), that is  min |A(I, J) m_J - e_k(I)|  by QR. For one thread.
class LeastSquaresColumn {
  public:
    /// `columns`: A^T, and `lengths` the |a_j| of its rows.
    LeastSquaresColumn(CsrView columns, std::span<const double> lengths)
        : columns_(columns), lengths_(lengths), I_(columns.columns) {}

    /// m_J. It stays valid until the next call.
    std::span<const double> solve(Index k, std::span<const Index> J) {
        I_.clear();
        for (const Index j : J) {
            each_of_column(j, [&](Index i, double) {
                if (I_.place(i) < 0) I_.add(i);
            });
        }
        outside_ = I_.place(k) < 0;
        if (outside_) {
            zeros_.assign(J.size(), 0);
            return zeros_;
        }
        // Columns of length 1: which of them depend on others should not depend on units.
        const auto rows = static_cast<std::size_t>(I_.count());
        const std::span<double> block = problem_.begin(I_.count(), static_cast<Index>(J.size()));
        for (std::size_t c = 0; c < J.size(); ++c) {
            double* const column = block.data() + c * rows;
            each_of_column(J[c], [&](Index i, double a) { column[I_.place(i)] = a / length(J[c]); });
        }
        const std::span<double> m = problem_.solve(I_.place(k));
        for (std::size_t c = 0; c < J.size(); ++c) m[c] /= length(J[c]);
        return m;
    }
    /// Of the last solution:  |A m - e_k|.
    double residual() const { return outside_ ? 1 : norm_of_short(problem_.residual()); }
    /// visit(i, r_i) for the entries of A m - e_k that may be other than 0.
    template <class Visit>
    void each_residual(Index k, const Visit& visit) const {
        if (outside_) return visit(k, -1.0);
        const double* r = problem_.residual().data();
        for (const Index i : I_.members()) visit(i, *r++);
    }

  private:
    template <class Visit>
    void each_of_column(Index j, const Visit& visit) const {
        const Offset* const row = columns_.offsets.data() + j;
        for (Offset e = row[0]; e < row[1]; ++e) visit(columns_.column.data()[e], columns_.value.data()[e]);
    }
    double length(Index j) const { return lengths_.data()[j] > 0 ? lengths_.data()[j] : 1; }

    CsrView columns_;
    std::span<const double> lengths_;
    SmallIndices I_;
    SmallLeastSquares problem_;
    std::vector<double> zeros_;
    bool outside_ = false;  // e_k is perpendicular to all columns
};

/// The lengths |a_i| of rows.
inline std::vector<double> row_lengths(CsrView A) {
    std::vector<double> lengths;
    lengths.reserve(static_cast<std::size_t>(A.rows));
    const Offset* const row = A.offsets.data();
    for (Index i = 0; i < A.rows; ++i) {
        lengths.push_back(norm_of_short({A.value.data() + row[i], static_cast<std::size_t>(row[i + 1] - row[i])}));
    }
    return lengths;
}

constexpr Offset spai_grain = 32;  // columns that are worth a thread

/// The places J of a column m_k. With r = A m_k - e_k, another place j, with all others kept, would leave
///     min over mu of |r + mu a_j|^2 = |r|^2 - (r^T a_j)^2 / |a_j|^2
/// (Grote and Huckle, (3.6)). Those that gain most join J.
class GrowingColumn {
  public:
    GrowingColumn(CsrView A, CsrView columns, std::span<const double> lengths, const SpaiOptions& options)
        : A_(A),
          lengths_(lengths),
          options_(options),
          column_(columns, lengths),
          J_(A.columns),
          product_(lengths.size(), 0) {}

    /// Column k, begun with `start`. It stays valid until the next call.
    std::span<const Index> make(Index k, std::span<const Index> start) {
        J_.assign(start);
        for (int step = 0; step < options_.adaptive_steps; ++step) {
            column_.solve(k, J_.members());
            if (column_.residual() <= options_.tolerance || !grow(k)) break;
        }
        sorted_.assign(J_.members().begin(), J_.members().end());
        std::sort(sorted_.begin(), sorted_.end());
        return sorted_;
    }

  private:
    /// False if no place gains anything.
    bool grow(Index k) {
        column_.each_residual(k, [&](Index i, double r) {
            const Offset* const row = A_.offsets.data() + i;
            for (Offset e = row[0]; r != 0 && e < row[1]; ++e) {
                const Index j = A_.column.data()[e];
                if (J_.place(j) >= 0) continue;
                if (product_.data()[j] == 0) touched_.push_back(j);  // twice where sums are 0 on their way: no harm
                product_.data()[j] += r * A_.value.data()[e];
            }
        });
        gains_.clear();
        for (const Index j : touched_) {
            const double cosine = product_.data()[j] / lengths_.data()[j];
            product_.data()[j] = 0;
            if (std::abs(cosine) > 1e-8) gains_.add(j, cosine * cosine);
        }
        touched_.clear();
        gains_.each_of_best(options_.entries_a_step, [&](Index j) { J_.add(j); });
        return !gains_.empty();
    }

    CsrView A_;
    std::span<const double> lengths_;
    const SpaiOptions& options_;
    LeastSquaresColumn column_;
    SmallIndices J_;
    std::vector<double> product_;  // r^T a_j by j, zeros between two steps
    std::vector<Index> touched_, sorted_;
    LargestGains gains_;
};

/// Finite, and not all zeros?
bool is_of_use(std::span<const double> m) {
    return std::ranges::any_of(m, [](double v) { return v != 0; })
           && std::ranges::all_of(m, [](double v) { return std::isfinite(v); });
}

}  // namespace

SparsityPattern spai_pattern(CsrView A, const SpaiOptions& options) {
    require_range("spai", "adaptive_steps", options.adaptive_steps, 0, 200);
    require_range("spai", "entries_a_step", options.entries_a_step, 1, 100);
    require_range("spai", "adaptive_steps * entries_a_step", options.adaptive_steps * options.entries_a_step, 0, 2000);
    require_range("spai", "tolerance", options.tolerance, 0.0, 1.0);
    const CsrMatrix columns = transpose(A);
    SparsityPattern start = power_pattern(columns, entry_scale(columns), options.pattern, PatternPart::all, "spai");
    if (options.adaptive_steps == 0) return start;
    const std::vector<double> lengths = row_lengths(columns);
    return joined_rows(A.rows, spai_grain, [&](Index begin, Index end, const auto& add_row) {
        GrowingColumn column(A, columns, lengths, options);
        for (Index k = begin; k < end; ++k) add_row(column.make(k, start.row(k)));
    });
}

ApproximateInverse spai(CsrView A, const SparsityPattern& pattern) {
    require_fitting(A, pattern, PatternPart::all, "spai");
    const CsrMatrix columns = transpose(A);
    const std::vector<double> lengths = row_lengths(columns);
    CsrMatrix transposed_M = pattern.zeros();
    struct Part {
        Index fallbacks = 0;
        double squares = 0;  // of residuals
    };
    const std::vector<Part> parts = parallel_parts(A.rows, spai_grain, [&](Offset begin, Offset end) {
        LeastSquaresColumn column(columns, lengths);
        Part part;
        for (Index k = static_cast<Index>(begin); k < static_cast<Index>(end); ++k) {
            const std::span<const Index> J = pattern.row(k);
            const std::span<const double> m = column.solve(k, J);
            double* const values = transposed_M.value.data() + pattern.offsets.data()[k];
            if (is_of_use(m)) {
                std::copy(m.begin(), m.end(), values);
                part.squares += column.residual() * column.residual();
            } else {
                const double length = lengths.data()[k] > 0 ? lengths.data()[k] : 1;
                const auto diagonal = std::lower_bound(J.begin(), J.end(), k) - J.begin();
                std::fill_n(values, J.size(), 0.0);
                values[diagonal] = 1 / length;
                part.squares += 2;  // |a_k / |a_k| - e_k|^2 where a_kk = 0
                ++part.fallbacks;
            }
        }
        return part;
    });
    ApproximateInverse made{.M = transpose(transposed_M)};
    for (const Part& part : parts) {
        made.fallback_columns += part.fallbacks;
        made.residual += part.squares;
    }
    made.residual = std::sqrt(made.residual);
    return made;
}

ApproximateInverse spai(CsrView A, const SpaiOptions& options) { return spai(A, spai_pattern(A, options)); }

}  // namespace glsolve::inline v0_1
