/// How numbers lie in textures. A texel holds four floats; a vector of n numbers fills ceil(n / 4) texels, row after
/// row, in a rectangle whose width is a power of two, so that index -> texel is a shift and a mask. What is left of the
/// rectangle is padding and always zero: reductions then need no masks.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// Size of a rectangle of texels.
struct Extent {
    int width = 1;
    int height = 1;

    std::int64_t texels() const { return static_cast<std::int64_t>(width) * height; }
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// Lines of a rectangle of texels.
struct Lines {
    int first = 0;
    int count = 0;
};

/// Where the numbers of a vector are.
struct Layout {
    Offset length = 0;   ///< numbers, without the padding
    int log2_width = 0;  ///< the rectangle is 2^log2_width texels wide
    int height = 1;

    Extent extent() const { return {1 << log2_width, height}; }
    friend bool operator==(const Layout&, const Layout&) = default;
};

/// The layout of `length` numbers: near-square, 64 texels wide, or 256 where it is long; at least one texel. Throws
/// InvalidInput beyond 2^31 - 1 numbers.
Layout layout_of(Offset length);

/// Copies numbers into texels (four floats each), zeros behind them.
std::vector<float> pack(const Layout& layout, std::span<const float> numbers);

/// A stack of `count` rectangles of the same extent in one texture ("tiles"): tile k stands at column
/// k mod 2^log2_columns of the grid, row k / 2^log2_columns. One column as long as the texture's height allows it.
struct TileLayout {
    Extent tile;
    int count = 0;
    int log2_columns = 0;

    Extent extent() const;
    /// What tells shaders that there is but one column: where a tile begins is then quickly found.
    std::string_view definitions() const { return log2_columns == 0 ? "ONE_COLUMN\n" : ""; }
    /// First texel of tile k, counted along the rows of the texture.
    std::int64_t texel(int k, std::int64_t texel_in_tile) const;
};

/// Arranges `count` tiles in a texture of at most `max_size` texels a side. Throws InvalidInput when they do not fit.
TileLayout tile_grid(Extent tile, int count, int max_size);

}  // namespace glsolve::inline v0_1
