/// Arrays of numbers in textures, four to a texel, row after row.
#pragma once

#include <span>
#include <string_view>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

struct PackedNumbers {
    Storage storage;
    std::int32_t log2_width = 0;  ///< of its texels
};

/// With zeros behind them. Throws InvalidInput, with `what` they are, where a texture is too small.
PackedNumbers packed_integers(Backend& backend, std::span<const std::int32_t> numbers, std::string_view what);
/// The same, rounded to single precision.
PackedNumbers packed_reals(Backend& backend, std::span<const double> numbers, std::string_view what);

/// In the layout of a vector, with `behind` behind the last number.
Storage integers_as(Backend& backend, const Layout& layout, std::span<const std::int32_t> numbers,
                    std::int32_t behind = -1);

}  // namespace glsolve::inline v0_1
