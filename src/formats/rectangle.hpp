/// Textures that hold numbers one behind the other, as many as there are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/large_pages.hpp"
#include "device/layout.hpp"

namespace glsolve::inline v0_1 {

/// The layout of so many texels; at least one. Throws InvalidInput, with `what` they hold, where a texture of at most
/// `max_size` texels a side is too small.
Layout rectangle(std::int64_t texels, int max_size, std::string_view what);

/// Zeros for all of its texels.
template <class Number>
std::vector<Number> zeros(const Layout& layout) {
    return filled(static_cast<std::size_t>(layout.extent().texels()) * 4, Number{0});
}

}  // namespace glsolve::inline v0_1
