#include "formats/short_columns.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

bool fits_short_columns(const FormatInput& in) {
    constexpr Index farthest = (1 << 15) - 4;  // a row is up to three behind the first one of its texel
    if (!in.short_columns) return false;
    return !parallel_any(static_cast<std::size_t>(in.A.rows), [&](std::size_t i) {
        const std::span<const Index> columns = in.A.row(i).columns();  // ascending
        const auto row = static_cast<Index>(i);
        return !columns.empty() && (row - columns.front() > farthest || columns.back() - row > farthest);
    });
}

}  // namespace glsolve::inline v0_1
