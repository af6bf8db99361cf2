/// One column of SPAI.
#pragma once

#include <span>
#include <vector>

#include "base/norm.hpp"
#include "factors/small_block.hpp"
#include "matrix/dense_factors.hpp"

namespace glsolve::inline v0_1 {

/// Minimises |A m - e_k| over the m with given places J. Only the rows I that have entries in the columns J matter:
/// with the dense block A(I, J), that is  min |A(I, J) m_J - e_k(I)|  by QR. For one thread.
class LeastSquaresColumn {
  public:
    /// `columns`: A^T, and `lengths` the |a_j| of its rows.
    LeastSquaresColumn(const CsrMatrix& columns, std::span<const double> lengths)
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

    const CsrMatrix& columns_;
    std::span<const double> lengths_;
    SmallIndices I_;
    SmallLeastSquares problem_;
    std::vector<double> zeros_;
    bool outside_ = false;  // e_k is perpendicular to all columns
};

/// The lengths |a_i| of rows.
inline std::vector<double> row_lengths(const CsrMatrix& A) {
    std::vector<double> lengths;
    lengths.reserve(static_cast<std::size_t>(A.rows));
    const Offset* const row = A.offsets.data();
    for (Index i = 0; i < A.rows; ++i) {
        lengths.push_back(norm_of_short({A.value.data() + row[i], static_cast<std::size_t>(row[i + 1] - row[i])}));
    }
    return lengths;
}

}  // namespace glsolve::inline v0_1
