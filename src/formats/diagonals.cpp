#include "formats/diagonals.hpp"

#include <algorithm>
#include <cmath>

#include "core/csr_entries.hpp"
#include "core/parallel.hpp"
#include "formats/diagonal_part.hpp"

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

/// Goes down a diagonal, and finds the rule by which rows are missing.
class GapFinder {
  public:
    explicit GapFinder(Span rows) : rows_(rows), next_(rows.begin) {}

    void entry_at(Index row) {
        if (row > next_) add(next_, row);
        next_ = row + 1;
    }
    /// The rule, if all rows that are missing follow one.
    std::optional<Gap> finish() {
        if (next_ < rows_.end) add(next_, rows_.end);
        if (!regular_) return {};
        if (length_ == 0) return Gap{};
        if (period_ == 0) return gap(rows_.end, first_);  // once only
        const bool none_before = first_ - period_ + length_ <= rows_.begin, none_after = last_ + period_ >= rows_.end;
        const std::int64_t begin = first_ % period_;
        if (!none_before || !none_after || begin + length_ > period_) return {};
        return gap(period_, begin);
    }

  private:
    Gap gap(std::int64_t period, std::int64_t begin) const {
        return {static_cast<Index>(period), static_cast<Index>(begin), static_cast<Index>(length_)};
    }

    void add(std::int64_t begin, std::int64_t end) {
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
    std::int64_t next_;  // row
    std::int64_t first_ = 0, length_ = 0, period_ = 0, last_ = 0;
    bool regular_ = true;
};

}  // namespace

std::vector<Diagonal> describe_diagonals(const FormatInput& in, const std::vector<Index>& offsets) {
    struct Found {
        GapFinder gaps;
        double value = 0;
        bool seen = false, varies = false;
    };
    const CsrMatrix& A = in.A;
    std::vector<Found> found;
    found.reserve(offsets.size());
    for (const Index offset : offsets) found.push_back({GapFinder(rows_of(offset, A.rows))});
    std::size_t constant = offsets.size();  // as far as is known
    for (Index i = 0; i < A.rows && constant > 0; ++i) {
        auto next = offsets.begin();  // most rows have an entry on each diagonal, or leave out few
        for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
            const Index offset = A.column[k] - i;
            if (offset == 0) continue;
            if (*next != offset) next = std::lower_bound(next, offsets.end(), offset);
            Found& diagonal = found[static_cast<std::size_t>(next - offsets.begin())];
            if (next + 1 != offsets.end()) ++next;
            if (diagonal.varies) continue;
            const double value = in.scaled(i, k);
            if (!diagonal.seen) diagonal.value = value;
            diagonal.seen = true;
            diagonal.varies = value != diagonal.value;
            if (diagonal.varies) --constant;
            diagonal.gaps.entry_at(i);
        }
    }
    std::vector<Diagonal> diagonals;
    for (std::size_t d = 0; d < offsets.size(); ++d) {
        diagonals.push_back({offsets[d]});
        if (found[d].varies) continue;
        if (const auto gap = found[d].gaps.finish()) diagonals[d].constant = {found[d].value, *gap};
    }
    return diagonals;
}

MainDiagonal describe_main_diagonal(const FormatInput& in, const std::vector<Diagonal>& beside) {
    DiagonalPart part = diagonal_part(in.A, in.scale);
    MainDiagonal main{.values = std::move(part.values), .differences = part.differences};
    double size = 0;                                       // of a row's terms
    std::vector<double> made_up(main.values.size(), 0.0);  // their sizes, where there are none
    for (const Diagonal& d : beside) {
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
                                     for (Offset k = in.A.offsets[i]; k < in.A.offsets[i + 1]; ++k) {
                                         row += std::abs(in.scaled(static_cast<Index>(i), k));
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
