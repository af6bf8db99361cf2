#include "formats/diagonals.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "formats/diagonal_part.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {

std::vector<Index> diagonal_offsets(CsrView A, std::size_t most) {
    std::vector<Index> offsets = offsets_of_entries(A, most);
    if (offsets.size() > most) offsets.clear();
    return offsets;
}

namespace {

/// Rows where a diagonal lies inside the matrix.
struct Span {
    Index begin, end;
};
Span rows_of(Index offset, Index n) { return {std::max<Index>(0, -offset), n - std::max<Index>(0, offset)}; }

/// Rows that a diagonal leaves out, one behind the other.
struct Hole {
    Offset begin, end;

    Offset length() const { return end - begin; }
};

/// The rule by which a diagonal leaves out rows, if there is one.
std::optional<Gap> rule_of(std::span<const Hole> holes, Span rows) {
    if (holes.empty()) return Gap{};
    const Hole first = holes.front(), last = holes.back();
    const auto gap = [&](Offset period, Offset begin) {
        return Gap{static_cast<Index>(period), static_cast<Index>(begin), static_cast<Index>(first.length())};
    };
    if (holes.size() == 1) return gap(rows.end, first.begin);
    const Offset period = holes[1].begin - first.begin;
    for (std::size_t k = 1; k < holes.size(); ++k) {
        const bool cut = holes[k].end == rows.end && holes[k].length() <= first.length();  // by the end of the matrix
        if (holes[k].begin - holes[k - 1].begin != period || (holes[k].length() != first.length() && !cut)) return {};
    }
    const bool none_before = first.begin - period + first.length() <= rows.begin,
               none_after = last.begin + period >= rows.end;
    const Offset begin = first.begin % period;
    if (!none_before || !none_after || begin + first.length() > period) return {};
    return gap(period, begin);
}

/// Rows from `begin` on that are alike, also after scaling.
Index end_of_alike(const FormatInput& in, Index begin, Index end) {
    return in.scaled_alike ? static_cast<Index>(end_of_alike_rows(in.A, begin, end)) : begin + 1;
}

/// What some consecutive rows hold of a diagonal, as long as that may be one number and a rule.
class PartOfDiagonal {
  public:
    explicit PartOfDiagonal(Span rows) : next_(rows.begin) {}

    /// The entry of rows row ... end - 1. False where it is the one by which it turns out to be neither.
    bool take(Index row, Index end, double value) {
        if (!value_) value_ = value;
        if (value == *value_ && leave_out(row)) {
            next_ = end;
            return true;
        }
        give_up();
        return false;
    }
    /// There are no more entries in front of row `end`.
    void end_at(Index end) {
        if (!given_up_ && !leave_out(end)) give_up();
    }
    /// `next`: of the rows that follow.
    void append(const PartOfDiagonal& next) {
        if (next.given_up_ || (value_ && next.value_ && *value_ != *next.value_)) give_up();
        if (given_up_) return;
        if (!value_) value_ = next.value_;
        for (const Hole hole : next.holes_) {
            if (!holes_.empty() && hole.begin == holes_.back().end) {
                holes_.back().end = hole.end;
            } else {
                holes_.push_back(hole);
            }
        }
    }

    bool given_up() const { return given_up_; }
    double value() const { return *value_; }
    std::span<const Hole> holes() const { return holes_; }

  private:
    void give_up() {
        given_up_ = true;
        holes_ = {};
    }
    /// The rows up to this one; false where these holes follow no rule. Of the first another part may hold the
    /// beginning.
    bool leave_out(Index row) {
        if (row <= next_) return true;
        const std::size_t n = holes_.size();
        if (n >= 3 && next_ - holes_[n - 1].begin != holes_[2].begin - holes_[1].begin) return false;
        holes_.push_back({next_, row});
        return true;
    }

    Offset next_;  // row
    std::vector<Hole> holes_;
    std::optional<double> value_;
    bool given_up_ = false;
};

/// Of rows begin ... end - 1.
std::vector<PartOfDiagonal> parts_of_rows(const FormatInput& in, const std::vector<Index>& offsets, Index begin,
                                          Index end) {
    const CsrView A = in.A;
    const auto inside = [&](Index offset) {
        const Span rows = rows_of(offset, A.rows);
        return Span{std::clamp(rows.begin, begin, end), std::clamp(rows.end, begin, end)};
    };
    std::vector<PartOfDiagonal> parts;
    for (const Index offset : offsets) parts.emplace_back(inside(offset));
    std::size_t left = offsets.size();
    for (Index i = begin; i < end && left > 0;) {
        const Index alike = end_of_alike(in, i, end);
        auto next = offsets.begin();  // most rows have an entry on each diagonal, or leave out few
        for (const auto [j, a] : A.row(i)) {
            const Index offset = j - i;
            if (offset == 0) continue;
            if (*next != offset) next = std::lower_bound(next, offsets.end(), offset);
            PartOfDiagonal& part = parts[static_cast<std::size_t>(next - offsets.begin())];
            if (next + 1 != offsets.end()) ++next;
            if (!part.given_up() && !part.take(i, alike, in.scaled(i, j, a))) --left;
        }
        i = alike;
    }
    for (std::size_t d = 0; d < parts.size(); ++d) parts[d].end_at(inside(offsets[d]).end);
    return parts;
}

}  // namespace

std::vector<MatrixDiagonal> describe_diagonals(const FormatInput& in, const std::vector<Index>& offsets) {
    auto found = parallel_parts(in.A.rows, row_grain(in.A), [&](Offset begin, Offset end) {
        return parts_of_rows(in, offsets, static_cast<Index>(begin), static_cast<Index>(end));
    });
    std::vector<MatrixDiagonal> diagonals;
    for (std::size_t d = 0; d < offsets.size(); ++d) {
        PartOfDiagonal& all = found[0][d];
        for (std::size_t range = 1; range < found.size(); ++range) all.append(found[range][d]);
        diagonals.push_back({offsets[d]});
        if (all.given_up()) continue;
        if (const auto gap = rule_of(all.holes(), rows_of(offsets[d], in.A.rows))) {
            diagonals[d].constant = {all.value(), *gap};
        }
    }
    return diagonals;
}

namespace {

/// Of constant diagonals without an entry in a row: what they add up to, and of sizes.
struct MadeUp {
    double sum = 0, size = 0;
};
MadeUp made_up(std::span<const Index> columns, Index i, std::span<const MatrixDiagonal> constants) {
    MadeUp made;
    auto column = columns.begin();
    for (const MatrixDiagonal& d : constants) {
        while (column != columns.end() && *column - i < d.offset) ++column;
        if (column != columns.end() && *column - i == d.offset) continue;
        made.sum += d.constant->value;
        made.size += std::abs(d.constant->value);
    }
    return made;
}

/// Of some numbers.
struct Extremes {
    double least = std::numeric_limits<double>::infinity(), most = -least;

    void add(double number) { add({number, number}); }
    void add(const Extremes& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// Of some rows, for both forms of the diagonal.
struct MainDiagonalOfRows {
    SizesOfDiagonal sizes;
    Extremes own, sums;    ///< a_ii; s_i with what is made up
    bool accurate = true;  ///< made up_i <= sum_j |a_ij|

    void add(const MainDiagonalOfRows& other) {
        sizes.add(other.sizes);
        own.add(other.own);
        sums.add(other.sums);
        accurate = accurate && other.accurate;
    }
};

}  // namespace

MainDiagonal describe_main_diagonal(const FormatInput& in, const std::vector<MatrixDiagonal>& beside,
                                    MayBeConstant may_be) {
    const CsrView A = in.A;
    std::vector<MatrixDiagonal> constants;
    std::ranges::copy_if(beside, std::back_inserter(constants), [](const auto& d) { return d.constant.has_value(); });
    MainDiagonalOfRows all;
    for (const MainDiagonalOfRows& part : parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
             MainDiagonalOfRows of;
             for (Offset i = begin; i < end;) {
                 const Offset alike = end_of_alike(in, static_cast<Index>(i), static_cast<Index>(end));
                 const RowOnDiagonal row = row_on_diagonal(A, in.scale, i);
                 const MadeUp made = made_up(A.row(i).columns(), static_cast<Index>(i), constants);
                 of.sizes.add(row, static_cast<double>(alike - i));
                 of.own.add(row.own);
                 of.sums.add(row.sum + made.sum);
                 of.accurate = of.accurate && made.size <= row.size;
                 i = alike;
             }
             return of;
         })) {
        all.add(part);
    }
    MainDiagonal main;
    main.differences = all.sizes.differences();
    main.accurate = !main.differences || all.accurate;
    if (A.rows == 0) return main;
    const auto [least, most] = main.differences ? all.sums : all.own;
    double size = std::abs(least);  // of a row's terms
    for (const MatrixDiagonal& d : constants) size += std::abs(d.constant->value);
    if (may_be == MayBeConstant::yes && most - least <= 1e-15 * size) {
        main.constant = std::abs(least) < std::abs(most) ? least : most;
        return main;
    }
    main.values = filled(static_cast<std::size_t>(A.rows), 0.0);
    parallel_rows(A, [&](std::size_t i) {
        const RowOnDiagonal row = row_on_diagonal(A, in.scale, static_cast<Offset>(i));
        main.values[i] =
            main.differences ? row.sum + made_up(A.row(i).columns(), static_cast<Index>(i), constants).sum : row.own;
    });
    return main;
}

}  // namespace glsolve::inline v0_1
