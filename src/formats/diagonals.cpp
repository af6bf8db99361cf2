#include "formats/diagonals.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "formats/diagonal_part.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {

std::vector<Index> diagonal_offsets(const CsrMatrix& A, std::size_t most) {
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

/// What some consecutive rows hold of a diagonal, as long as that may be one number and a rule.
class PartOfDiagonal {
  public:
    explicit PartOfDiagonal(Span rows) : next_(rows.begin) {}

    /// False where this is the entry by which it turns out to be neither.
    bool take(Index row, double value) {
        if (!value_) value_ = value;
        if (value == *value_ && leave_out(row)) {
            next_ = row + 1;
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
    const CsrMatrix& A = in.A;
    const auto inside = [&](Index offset) {
        const Span rows = rows_of(offset, A.rows);
        return Span{std::clamp(rows.begin, begin, end), std::clamp(rows.end, begin, end)};
    };
    std::vector<PartOfDiagonal> parts;
    for (const Index offset : offsets) parts.emplace_back(inside(offset));
    std::size_t left = offsets.size();
    for (Index i = begin; i < end && left > 0; ++i) {
        auto next = offsets.begin();  // most rows have an entry on each diagonal, or leave out few
        for (const auto [j, a] : A.row(i)) {
            const Index offset = j - i;
            if (offset == 0) continue;
            if (*next != offset) next = std::lower_bound(next, offsets.end(), offset);
            PartOfDiagonal& part = parts[static_cast<std::size_t>(next - offsets.begin())];
            if (next + 1 != offsets.end()) ++next;
            if (!part.given_up() && !part.take(i, in.scaled(i, j, a))) --left;
        }
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

MainDiagonal describe_main_diagonal(const FormatInput& in, const std::vector<MatrixDiagonal>& beside) {
    DiagonalPart part = diagonal_part(in.A, in.scale);
    MainDiagonal main{.values = std::move(part.values), .differences = part.differences};
    double size = 0;                                                // of a row's terms
    std::vector<double> made_up = filled(main.values.size(), 0.0);  // their sizes, where there are none
    for (const MatrixDiagonal& d : beside) {
        if (!d.constant) continue;
        const auto& [value, gap] = *d.constant;
        size += std::abs(value);
        if (!main.differences) continue;
        const auto make_up = [&, each = value](std::int64_t i) {
            main.values[static_cast<std::size_t>(i)] += each;
            made_up[static_cast<std::size_t>(i)] += std::abs(each);
        };
        const Span inside = rows_of(d.offset, in.A.rows);
        for (Index i = 0; i < inside.begin; ++i) make_up(i);
        for (Index i = inside.end; i < in.A.rows; ++i) make_up(i);
        for (std::int64_t i = gap.begin; gap.length > 0 && i < inside.end; i += gap.period) {
            const std::int64_t end = std::min<std::int64_t>(i + gap.length, inside.end);
            for (std::int64_t row = std::max<std::int64_t>(i, inside.begin); row < end; ++row) make_up(row);
        }
    }
    // made up_i <= sum_j |a_ij|  in every row
    main.accurate = size == 0 || parallel_max(made_up.size(), [&](std::size_t i) {
                                     double row = 0;
                                     for (const auto [j, a] : in.A.row(i)) {
                                         row += std::abs(in.scaled(static_cast<Index>(i), j, a));
                                     }
                                     return made_up[i] <= row ? 0.0 : 1.0;
                                 }) == 0;
    if (main.values.empty()) return main;
    const auto [least, most] = std::minmax_element(main.values.begin(), main.values.end());
    size += std::abs(*least);
    if (*most - *least <= 1e-15 * size) main.constant = std::abs(*least) < std::abs(*most) ? *least : *most;
    return main;
}

}  // namespace glsolve::inline v0_1
