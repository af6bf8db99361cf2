/// Rows that threads make, each a range of them, and that become one matrix.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

inline constexpr Offset most_expected = 32;  // entries of a row that space is made for: longer ones grow as they come

/// The rows first ... end - 1 of A, one behind the other.
class RowPiece {
  public:
    RowPiece() = default;
    RowPiece(CsrMatrix& A, Offset first, Offset end) : A_(&A), first_(first), row_(first), end_(end) {}

    void add(Index column, double value) {
        columns.push_back(column);
        values.push_back(value);
    }
    void end_row() {
        A_->offsets[static_cast<std::size_t>(++row_)] = static_cast<Offset>(columns.size()) - begin_;
        begin_ = static_cast<Offset>(columns.size());
        if (row_ == first_ + sample) expect(begin_ / sample + 1);
    }

    std::vector<Index> columns;
    std::vector<double> values;

  private:
    static constexpr Offset sample = 1024;

    /// Space for rows of so many entries, so that arrays of many pages need not be moved as they grow. Not for many:
    /// the first rows may be the longest.
    void expect(Offset entries_a_row) {
        const auto expected = static_cast<std::size_t>((end_ - first_) * std::min(entries_a_row, most_expected));
        reserve(columns, expected);
        reserve(values, expected);
    }

    CsrMatrix* A_ = nullptr;
    Offset first_ = 0, row_ = 0, end_ = 0, begin_ = 0;
};

/// Adds what an array of all pieces holds to `all`, one piece behind the other, and takes it from them.
template <class Number>
void join(std::vector<Number>& all, std::vector<RowPiece>& pieces, std::vector<Number> RowPiece::*array) {
    for (RowPiece& piece : pieces) {
        all.insert(all.end(), (piece.*array).begin(), (piece.*array).end());
        std::vector<Number>().swap(piece.*array);
    }
}

/// Entries of a row, on average and rounded up.
inline Offset usual_row(CsrView M) { return M.nonzeros() / std::max(M.rows, 1) + 1; }

/// `make(piece, begin, end)` adds rows begin ... end - 1, their columns ascending, and ends each. On all cores; each
/// row is added up from about so many terms.
template <class Make>
CsrMatrix rows_in_pieces(Index rows, Index columns, Offset terms_of_row, const Make& make) {
    constexpr Offset few_terms = 8;
    const Offset grain = std::max<Offset>(usual_grain / std::max(terms_of_row, few_terms), 1);
    CsrMatrix A;
    A.rows = rows;
    A.columns = columns;
    A.offsets = filled(static_cast<std::size_t>(rows) + 1, Offset{0});  // lengths of rows at first
    std::vector<RowPiece> pieces(static_cast<std::size_t>(parallel_ranges(rows, grain)));
    parallel_for(rows, grain, [&](int range, Offset begin, Offset end) {
        RowPiece& piece = pieces[static_cast<std::size_t>(range)] = RowPiece(A, begin, end);
        make(piece, static_cast<Index>(begin), static_cast<Index>(end));
    });
    std::partial_sum(A.offsets.begin(), A.offsets.end(), A.offsets.begin());
    if (pieces.size() == 1) {
        A.column = std::move(pieces[0].columns);
        A.value = std::move(pieces[0].values);
        return A;
    }
    make_room(A.column, static_cast<std::size_t>(A.offsets.back()));
    make_room(A.value, static_cast<std::size_t>(A.offsets.back()));
    parallel_for(2, 1, [&](int, Offset begin, Offset end) {
        if (begin == 0) join(A.column, pieces, &RowPiece::columns);
        if (end == 2) join(A.value, pieces, &RowPiece::values);
    });
    return A;
}

}  // namespace glsolve::inline v0_1
