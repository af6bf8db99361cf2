/// Entries one behind the other, four a texel, in ranges: rows of a matrix, or pieces of rows (shaders/pass/csr.glsl).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// Entries begin ... end - 1 of FormatInput::A, all of one row; the one on the diagonal does not belong to it.
struct EntryRange {
    Index row = 0;
    Offset begin = 0, end = 0;
};

/// A row as ranges of at most `piece` entries.
void add_in_pieces(std::vector<EntryRange>& ranges, const EntryRange& row, Offset piece);
/// Entries of a piece of a long row: a team goes through four pieces in a few steps. Longer ones were slower.
inline constexpr Offset usual_piece = 128;

/// What textures hold of such ranges.
struct EntryTexels {
    Layout value_layout, column_layout, offset_layout;
    std::vector<double> values;         ///< from texel `first` on
    std::vector<std::int32_t> columns;  ///< of the entries, from texel 0 on
    bool short_columns = false;         ///< two in a number
    std::vector<std::int32_t> offsets;  ///< of each range its first entry; then how many entries there are
    std::int64_t entries = 0;
};

/// `first`: texels of values that are left free. Throws InvalidInput where a texture is too small.
EntryTexels lay_out_entries(const FormatInput& in, std::span<const EntryRange> ranges, std::int64_t first);

/// Texels of entries that the four longest neighbours have.
std::int64_t most_entry_texels(std::span<const EntryRange> ranges);
/// Of its rows.
std::int64_t most_entry_texels(CsrView A);

}  // namespace glsolve::inline v0_1
