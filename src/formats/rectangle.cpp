#include "formats/rectangle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <limits>

namespace glsolve::inline v0_1 {

Layout rectangle(std::int64_t texels, int max_size, std::string_view what) {
    texels = std::max<std::int64_t>(texels, 1);
    if (texels <= std::numeric_limits<Index>::max() / 4) {
        const Layout layout = layout_of(4 * texels);
        if (layout.extent().width <= max_size && layout.height <= max_size) return layout;
    }
    throw InvalidInput(
        fmt::format("the matrix needs {} texels of {} ({:.1f} GB), which do not fit a texture of {} x {}", texels, what,
                    16e-9 * static_cast<double>(texels), max_size, max_size));
}

}  // namespace glsolve::inline v0_1
