#include "formats/diagonals.hpp"

#include <algorithm>
#include <cmath>

#include "formats/diagonal_part.hpp"

namespace glsolve::inline v0_1 {

std::vector<Index> diagonal_offsets(const CsrMatrix& A, std::size_t most) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<bool> used(n + static_cast<std::size_t>(A.columns), false);  // at column - row + rows
    std::vector<Index> offsets;
    for (std::size_t i = 0; i < n; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const Index offset = A.column[static_cast<std::size_t>(k)] - static_cast<Index>(i);
            auto mark = used[static_cast<std::size_t>(std::int64_t{offset} + A.rows)];
            if (mark) continue;
            if (offsets.size() == most) return {};
            mark = true;
            offsets.push_back(offset);
        }
    }
    std::sort(offsets.begin(), offsets.end());
    return offsets;
}

namespace {

/// Rows where a diagonal lies inside the matrix.
struct Span {
    Index begin, end;
};
Span rows_of(Index offset, Index n) { return {std::max<Index>(0, -offset), n - std::max<Index>(0, offset)}; }

/// Goes down a diagonal, and finds the rule by which rows are missing.
class GapFinder {
  public:
    explicit GapFinder(Span rows) : rows_(rows), next_(rows.begin) {}

    void entry_at(Index row) {
        if (row > next_) add(next_, row);
        next_ = row + 1;
    }
    /// Has all missing rows been found to follow one rule?
    bool finish(Gap& gap) {
        if (next_ < rows_.end) add(next_, rows_.end);
        if (!regular_) return false;
        if (length_ == 0) return true;
        if (period_ == 0) {  // once only
            gap = {rows_.end, first_, length_};
            return true;
        }
        gap = {period_, first_ % period_, length_};
        const bool none_before = first_ - period_ + length_ <= rows_.begin, none_after = last_ + period_ >= rows_.end;
        return none_before && none_after && gap.begin + gap.length <= period_;
    }

  private:
    void add(Index begin, Index end) {
        if (length_ == 0) {
            first_ = begin;
            length_ = end - begin;
        } else {
            if (period_ == 0) period_ = begin - first_;
            const bool cut = end == rows_.end && end - begin <= length_;  // by the end of the matrix
            regular_ = regular_ && begin - last_ == period_ && (end - begin == length_ || cut);
        }
        last_ = begin;
    }

    Span rows_;
    Index next_;  // row
    Index first_ = 0, length_ = 0, period_ = 0, last_ = 0;
    bool regular_ = true;
};

}  // namespace

std::vector<Diagonal> describe_diagonals(const FormatInput& in, const std::vector<Index>& offsets) {
    const CsrMatrix& A = in.A;
    std::vector<Diagonal> diagonals(offsets.size());
    std::vector<GapFinder> gaps;
    for (std::size_t d = 0; d < offsets.size(); ++d) {
        diagonals[d].offset = offsets[d];
        gaps.emplace_back(rows_of(offsets[d], A.rows));
    }
    std::vector<bool> seen(offsets.size(), false), varies(offsets.size(), false);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const Index offset = A.column[static_cast<std::size_t>(k)] - i;
            if (offset == 0) continue;
            const auto d =
                static_cast<std::size_t>(std::lower_bound(offsets.begin(), offsets.end(), offset) - offsets.begin());
            if (varies[d]) continue;
            const double value = in.scaled(i, k);
            if (!seen[d]) diagonals[d].value = value;
            seen[d] = true;
            varies[d] = value != diagonals[d].value;
            gaps[d].entry_at(i);
        }
    }
    for (std::size_t d = 0; d < offsets.size(); ++d) {
        diagonals[d].constant = !varies[d] && gaps[d].finish(diagonals[d].gap);
    }
    return diagonals;
}

MainDiagonal describe_main_diagonal(const FormatInput& in, const std::vector<Diagonal>& beside) {
    DiagonalPart part = diagonal_part(in.A, in.scale);
    MainDiagonal main{std::move(part.values), part.differences, {}};
    double size = 0;  // of a row's terms
    for (const Diagonal& d : beside) {
        if (!d.constant) continue;
        size += std::abs(d.value);
        if (!main.differences) continue;
        const auto make_up = [&](Index i) { main.values[static_cast<std::size_t>(i)] += d.value; };
        const Span inside = rows_of(d.offset, in.A.rows);
        for (Index i = 0; i < inside.begin; ++i) make_up(i);
        for (Index i = inside.end; i < in.A.rows; ++i) make_up(i);
        for (Index i = d.gap.begin; d.gap.length > 0 && i < inside.end; i += d.gap.period) {
            const Index end = std::min(i + d.gap.length, inside.end);
            for (Index row = std::max(i, inside.begin); row < end; ++row) make_up(row);
        }
    }
    if (main.values.empty()) return main;
    const auto [least, most] = std::minmax_element(main.values.begin(), main.values.end());
    size += std::abs(*least);
    if (*most - *least <= 1e-15 * size) main.constant = std::abs(*least) < std::abs(*most) ? *least : *most;
    return main;
}

}  // namespace glsolve::inline v0_1
