#include "device/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <limits>

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset narrow_from = 1024, long_from = 16384, highest = 4096;  // texels
constexpr int log2_narrow = 6, log2_long = 8;

}  // namespace

Layout layout_of(Offset length) {
    if (length < 0 || length > std::numeric_limits<Index>::max()) {
        throw InvalidInput(
            fmt::format("a vector of {} numbers: at most {} are possible", length, std::numeric_limits<Index>::max()));
    }
    const Offset texels = std::max<Offset>(1, (length + 3) / 4);
    Layout layout{length, 0, 1};
    // Near-square where it is small, else 64 texels wide, and 256 where it is long, up to 4096 high. Software renderers
    // share a picture among their threads in squares of 64 texels: of vectors that are worth it there should be
    // several, and each should lie in few pages of memory, but with rows long enough for a processor to see where
    // reading goes. GPUs do not care (docs/measurements/performance.md).
    const auto fits = [&] {
        const Offset width = Offset{1} << layout.log2_width, height = (texels + width - 1) / width;
        return height <= std::max(width, texels > narrow_from ? highest : 0);
    };
    if (texels > narrow_from) layout.log2_width = texels > long_from ? log2_long : log2_narrow;
    while (!fits()) ++layout.log2_width;
    const Offset width = Offset{1} << layout.log2_width;
    layout.height = static_cast<int>((texels + width - 1) / width);
    return layout;
}

std::vector<float> pack(const Layout& layout, std::span<const float> numbers) {
    std::vector<float> texels(static_cast<std::size_t>(layout.extent().texels()) * 4, 0.0f);
    std::copy(numbers.begin(), numbers.end(), texels.begin());
    return texels;
}

Extent TileLayout::extent() const {
    const int columns = 1 << log2_columns;
    return {tile.width * columns, tile.height * std::max(1, (count + columns - 1) / columns)};
}

std::int64_t TileLayout::texel(int k, std::int64_t texel_in_tile) const {
    const std::int64_t x = (k & ((1 << log2_columns) - 1)) * std::int64_t{tile.width} + texel_in_tile % tile.width;
    const std::int64_t y = (k >> log2_columns) * std::int64_t{tile.height} + texel_in_tile / tile.width;
    return y * extent().width + x;
}

TileLayout tile_grid(Extent tile, int count, int max_size) {
    TileLayout grid{tile, count, 0};
    const auto fits = [&](const TileLayout& g) {
        const std::int64_t columns = std::int64_t{1} << g.log2_columns;
        return columns * tile.width <= max_size && (count + columns - 1) / columns * tile.height <= max_size;
    };
    while (!fits(grid)) {
        if ((std::int64_t{tile.width} << grid.log2_columns) > max_size) {
            throw InvalidInput(fmt::format(
                "the matrix needs {} tiles of {} x {} texels ({:.1f} GB), which do not fit a texture of {} x {}", count,
                tile.width, tile.height, 16e-9 * static_cast<double>(tile.texels()) * count, max_size, max_size));
        }
        ++grid.log2_columns;
    }
    return grid;
}

}  // namespace glsolve::inline v0_1
