#include "formats/entry_ranges.hpp"

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "formats/rectangle.hpp"
#include "formats/short_columns.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Beside the diagonal.
std::int32_t length(CsrView A, const EntryRange& range) {
    const auto begin = A.column.begin() + range.begin, end = A.column.begin() + range.end;
    return static_cast<std::int32_t>(end - begin) - (std::binary_search(begin, end, range.row) ? 1 : 0);
}

}  // namespace

void add_in_pieces(std::vector<EntryRange>& ranges, const EntryRange& row, Offset piece) {
    for (Offset k = row.begin; k < row.end; k += piece) ranges.push_back({row.row, k, std::min(k + piece, row.end)});
}

EntryTexels lay_out_entries(const FormatInput& in, std::span<const EntryRange> ranges, std::int64_t first) {
    const CsrView A = in.A;
    const std::int64_t texels = layout_of(std::ssize(ranges)).extent().texels();
    EntryTexels made;
    made.offset_layout = rectangle(texels + 1, in.max_texture_size, "offsets");
    made.offsets = zeros<std::int32_t>(made.offset_layout);
    parallel_each(ranges.size(), [&](std::size_t i) { made.offsets[i + 1] = length(A, ranges[i]); });
    for (std::size_t i = 1; i < made.offsets.size(); ++i) made.offsets[i] += made.offsets[i - 1];
    made.entries = made.offsets.back();
    const std::int64_t entry_texels = (made.entries + 3) / 4;
    made.value_layout = rectangle(first + entry_texels, in.max_texture_size, "values");
    made.short_columns = fits_short_columns_from_middle(in);
    made.column_layout =
        rectangle(made.short_columns ? (entry_texels + 1) / 2 : entry_texels, in.max_texture_size, "columns");
    made.values = zeros<double>(made.value_layout);
    made.columns = zeros<std::int32_t>(made.column_layout);
    const auto set_column = [&](std::size_t entry, Index column) {
        if (!made.short_columns) {
            made.columns[entry] = column;
            return;
        }
        // The two halves of a number may belong to rows of two threads.
        const std::size_t texel = entry / 4;
        std::atomic_ref both(made.columns[texel / 2 * 4 + entry % 4]);
        std::int32_t half = 0;
        set_short_column(half, static_cast<std::int64_t>(texel), column, middle_of_short_columns);
        both.fetch_or(half, std::memory_order_relaxed);
    };
    parallel_each(ranges.size(), row_grain(std::ssize(ranges), made.entries), [&](std::size_t i) {
        const auto& [row, begin, end] = ranges[i];
        auto at = static_cast<std::size_t>(made.offsets[i]);
        for (Offset k = begin; k < end; ++k) {
            const Index j = A.column[static_cast<std::size_t>(k)];
            if (j == row) continue;
            made.values[static_cast<std::size_t>(4 * first) + at] = in.scaled(row, k);
            set_column(at++, j);
        }
    });
    // What lies behind the last entry is read with it: it names a column that exists.
    for (auto entry = static_cast<std::size_t>(made.entries);
         entry < made.columns.size() * (made.short_columns ? 2 : 1); ++entry)
        set_column(entry, 0);
    return made;
}

namespace {

template <class Entries>
std::int64_t most_entry_texels(std::size_t rows, const Entries& entries_of) {
    return static_cast<std::int64_t>(parallel_max((rows + 3) / 4, [&](std::size_t t) {
        return static_cast<double>(entries_of(4 * t, std::min(4 * t + 4, rows))) / 4 + 2;
    }));
}

}  // namespace

std::int64_t most_entry_texels(std::span<const EntryRange> ranges) {
    return most_entry_texels(ranges.size(), [&](std::size_t begin, std::size_t end) {
        Offset entries = 0;
        for (std::size_t i = begin; i < end; ++i) entries += ranges[i].end - ranges[i].begin;
        return entries;
    });
}

std::int64_t most_entry_texels(CsrView A) {
    return most_entry_texels(static_cast<std::size_t>(A.rows),
                             [&](std::size_t begin, std::size_t end) { return A.offsets[end] - A.offsets[begin]; });
}

}  // namespace glsolve::inline v0_1
