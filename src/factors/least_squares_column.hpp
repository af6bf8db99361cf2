/// One column of SPAI.
#pragma once

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <span>

#include "factors/small_block.hpp"

namespace glsolve::inline v0_1 {

/// Minimises |A m - e_k| over the m with given places J. Only the rows I that have entries in the columns J matter:
/// with the dense block A(I, J), that is  min |A(I, J) m_J - e_k(I)|  by QR. For one thread.
class LeastSquaresColumn {
  public:
    /// `columns`: A^T, and `lengths` the |a_j| of its rows.
    LeastSquaresColumn(const CsrMatrix& columns, std::span<const double> lengths)
        : columns_(columns), lengths_(lengths), I_(columns.columns) {}

    /// m_J. It stays valid until the next call.
    const Eigen::VectorXd& solve(Index k, std::span<const Index> J) {
        I_.clear();
        for (const Index j : J) {
            each_of_column(j, [&](Index i, double) {
                if (I_.place(i) < 0) I_.add(i);
            });
        }
        const auto size = static_cast<Eigen::Index>(J.size());
        m_.setZero(size);
        residual_.setZero(I_.count());
        if (I_.place(k) < 0) {  // e_k is perpendicular to all columns
            outside_ = 1;
            return m_;
        }
        outside_ = 0;
        // Columns of length 1: which of them depend on others should not depend on units.
        block_.setZero(I_.count(), size);
        for (Eigen::Index c = 0; c < size; ++c) {
            const Index j = J[static_cast<std::size_t>(c)];
            each_of_column(j, [&](Index i, double a) { block_(I_.place(i), c) = a / length(j); });
        }
        e_k_.setZero(I_.count());
        e_k_(I_.place(k)) = 1;
        qr_.compute(block_);
        m_ = qr_.solve(e_k_);
        residual_ = block_ * m_ - e_k_;
        for (Eigen::Index c = 0; c < size; ++c) m_(c) /= length(J[static_cast<std::size_t>(c)]);
        return m_;
    }
    /// Of the last solution:  |A m - e_k|.
    double residual() const { return std::max(residual_.norm(), outside_); }
    /// visit(i, r_i) for the entries of A m - e_k that may be other than 0.
    template <class Visit>
    void each_residual(Index k, const Visit& visit) const {
        if (outside_ != 0) return visit(k, -1.0);
        Eigen::Index place = 0;
        for (const Index i : I_.members()) visit(i, residual_(place++));
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
    Eigen::MatrixXd block_;
    Eigen::VectorXd e_k_, m_, residual_;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
    double outside_ = 0;  // 1 if row k is not in I
};

/// The lengths |a_i| of rows.
inline std::vector<double> row_lengths(const CsrMatrix& A) {
    std::vector<double> lengths;
    lengths.reserve(static_cast<std::size_t>(A.rows));
    const Offset* const row = A.offsets.data();
    for (Index i = 0; i < A.rows; ++i) {
        const Eigen::Map<const Eigen::VectorXd> a(A.value.data() + row[i], row[i + 1] - row[i]);
        lengths.push_back(a.stableNorm());
    }
    return lengths;
}

}  // namespace glsolve::inline v0_1
