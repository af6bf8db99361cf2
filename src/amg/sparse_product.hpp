/// Products of sparse matrices on the host, row by row (F. G. Gustavson, ACM Trans. Math. Softw. 4 (1978)), on all
/// cores.
#pragma once

#include <algorithm>
#include <glsolve/csr.hpp>
#include <vector>

#include "amg/row_pieces.hpp"

namespace glsolve::inline v0_1 {

/// A row of a product while it is added up: its numbers, by column.
class RowSum {
  public:
    explicit RowSum(Index columns)
        : sum_(static_cast<std::size_t>(columns)), is_there_(static_cast<std::size_t>(columns), 0) {}

    void add(Index column, double a) {
        if (is_there_[column] == 0) {
            is_there_[column] = 1;
            sum_[column] = 0;
            columns_.push_back(column);
        }
        sum_[column] += a;
    }
    /// Adds a times row j of B.
    void add_row(double a, CsrView B, Index j) {
        for (const auto [k, b] : B.row(j)) add(k, a * b);
    }
    /// Calls f(column, number) for what is there, and is empty then.
    template <class Function>
    void drain(const Function& f) {
        for (const Index c : columns_) f(c, sum_[c]);
        clear();
    }
    /// It becomes the next row of `piece`, and is empty then.
    void move_to(RowPiece& piece) {
        std::sort(columns_.begin(), columns_.end());
        for (const Index c : columns_) piece.add(c, sum_[c]);
        piece.end_row();
        clear();
    }

  private:
    void clear() {
        for (const Index c : columns_) is_there_[c] = 0;
        columns_.clear();
    }

    std::vector<double> sum_;
    std::vector<unsigned char> is_there_;
    std::vector<Index> columns_;  // that are there, as they came
};

/// A' B, where `each_entry(i, f)` calls f(j, a'_ij) for the entries of row i of A' in any order: about as many as A
/// has. Its rows are sorted.
template <class EachEntry>
CsrMatrix multiply_rows(CsrView A, const EachEntry& each_entry, CsrView B) {
    return rows_in_pieces(A.rows, B.columns, usual_row(A) * usual_row(B), [&](RowPiece& piece, Index begin, Index end) {
        RowSum row(B.columns);
        for (Index i = begin; i < end; ++i) {
            each_entry(i, [&](Index j, double a) { row.add_row(a, B, j); });
            row.move_to(piece);
        }
    });
}

/// A B
CsrMatrix multiply(CsrView A, CsrView B);

/// P^T A P, with P^T at hand.
CsrMatrix galerkin_product(CsrView Pt, CsrView A, CsrView P);

// Coarse equations that read 0 = 0.

/// `coarse` is P^T A P. A region of A that is closed (its rows sum to zero, and nothing leads out of it) may have
/// become one unknown, or a few: what is interpolated from them are null vectors of A, so that their rows are zero, or
/// noise. No x_c does anything there. These rows get a diagonal entry of the size that their neighbours' have, and
/// nothing else: smoothers can divide by it, and x_c stays what it is multiplied with, P^T r, which is zero where b has
/// an answer.
void anchor_null_rows(CsrMatrix& coarse, CsrView A, CsrView Pt);

}  // namespace glsolve::inline v0_1
