#include "amg/sparse_product.hpp"

#include <utility>

namespace glsolve::inline v0_1 {

CsrMatrix multiply(CsrView A, CsrView B) {
    return multiply_rows(
        A,
        [&](Index i, const auto& entry) {
            for (const auto [j, a] : A.row(i)) entry(j, a);
        },
        B);
}

namespace {

/// Consecutive rows of A P, as they came.
class RowsOfAP {
  public:
    RowsOfAP(CsrView A, CsrView P) : A_(A), P_(P), row_(P.columns) {}

    void make(Index first, Index end) {
        first_ = first;
        entries_.clear();
        const Offset a_row = std::min<Offset>(usual_row(A_) * usual_row(P_), P_.columns);
        reserve(entries_, static_cast<std::size_t>((end - first) * std::min(a_row, most_expected)));
        begin_.assign(1, 0);
        for (Index i = first; i < end; ++i) {
            each_of_row(i, [&](Index column, double a) { entries_.emplace_back(column, a); });
            begin_.push_back(entries_.size());
        }
    }
    /// Adds a times row i, which has been made, to a row of another product.
    void add_to(RowSum& row, double a, Index i) const {
        const auto k = static_cast<std::size_t>(i - first_);
        for (std::size_t e = begin_[k]; e < begin_[k + 1]; ++e) row.add(entries_[e].first, a * entries_[e].second);
    }
    /// The same of one that has not.
    void make_and_add_to(RowSum& row, double a, Index i) {
        each_of_row(i, [&](Index column, double b) { row.add(column, a * b); });
    }

  private:
    template <class Function>
    void each_of_row(Index i, const Function& f) {
        for (const auto [j, a] : A_.row(i)) row_.add_row(a, P_, j);
        row_.drain(f);
    }

    CsrView A_;
    CsrView P_;
    RowSum row_;
    Index first_ = 0;
    std::vector<std::pair<Index, double>> entries_;
    std::vector<std::size_t> begin_;  // of each row
};

}  // namespace

// Row i of A P is wanted once for each entry of row i of P. All of A P is larger than A: it is made for some rows of
// the product at a time, where those want rows that are near each other, and else each time anew.
CsrMatrix galerkin_product(CsrView Pt, CsrView A, CsrView P) {
    constexpr Offset few = 3;
    constexpr Index rows_at_once = 4096;
    if (P.nonzeros() > few * P.rows) return multiply(Pt, multiply(A, P));
    const Offset terms_of_row = usual_row(Pt) * usual_row(A) * usual_row(P);
    return rows_in_pieces(Pt.rows, P.columns, terms_of_row, [&](RowPiece& piece, Index begin, Index end) {
        RowSum row(P.columns);
        RowsOfAP rows(A, P);
        for (Index block = begin; block < end; block += rows_at_once) {
            const Index block_end = std::min(end - block, rows_at_once) + block;
            const Offset wanted = Pt.offsets[block_end] - Pt.offsets[block];
            Index first = A.rows, last = -1;
            for (Offset k = Pt.offsets[block]; k < Pt.offsets[block_end]; ++k) {
                first = std::min(first, Pt.column[k]);
                last = std::max(last, Pt.column[k]);
            }
            const bool near = last - first < wanted;
            if (near) rows.make(first, last + 1);
            for (Index c = block; c < block_end; ++c) {
                for (const auto [k, p] : Pt.row(c)) {
                    if (near) {
                        rows.add_to(row, p, k);
                    } else {
                        rows.make_and_add_to(row, p, k);
                    }
                }
                row.move_to(piece);
            }
        }
    });
}

}  // namespace glsolve::inline v0_1
