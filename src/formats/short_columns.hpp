/// Columns of 16 bits, two in each number of a texture (short_columns() of shaders/prelude.glsl).
#pragma once

#include <cstdint>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// Do the columns of all entries fit, counted from the first row of their texel?
bool fits_short_columns(const FormatInput& in);

/// Puts `column`, counted from `own` on, into the lower half of a number, or for an odd k into the upper one. The
/// halves that are not set yet must be zeros.
inline void set_short_column(std::int32_t& both, std::int64_t k, Index column, Index own) {
    const auto bits = static_cast<std::uint32_t>(static_cast<std::uint16_t>(column - own));
    both = static_cast<std::int32_t>(static_cast<std::uint32_t>(both) | bits << (k % 2 != 0 ? 16 : 0));
}

/// From the middle on, where all of them fit without a row: those of CSR, whose texels belong to no row alone.
inline constexpr Index middle_of_short_columns = 1 << 15;
inline bool fits_short_columns_from_middle(const FormatInput& in) {
    return in.short_columns && in.A.columns <= 2 * middle_of_short_columns && in.A.rows <= 2 * middle_of_short_columns;
}

}  // namespace glsolve::inline v0_1
