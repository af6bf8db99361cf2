#include "formats/short_columns.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

bool fits_short_columns(const FormatInput& in) {
    constexpr Index farthest = (1 << 15) - 4;  // a row is up to three behind the first one of its texel
    if (!in.short_columns) return false;
    return !parallel_any(static_cast<std::size_t>(in.A.rows), [&](std::size_t i) {
        const Offset begin = in.A.offsets[i], end = in.A.offsets[i + 1];
        if (begin == end) return false;
        const auto row = static_cast<Index>(i);  // columns ascend
        const Index first = in.A.column[static_cast<std::size_t>(begin)];
        const Index last = in.A.column[static_cast<std::size_t>(end - 1)];
        return row - first > farthest || last - row > farthest;
    });
}

}  // namespace glsolve::inline v0_1
