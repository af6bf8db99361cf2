/// The vectors of a basis as the reference's kernels see them: src/core/basis.hpp.
#pragma once

#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

/// Some layers of a basis, and how all of them lie side by side.
struct Layers {
    int log2_width, log2_columns, tile_height, first, count;

    ivec2 extent() const { return {1 << log2_width, tile_height}; }
    ivec2 corner(int k) const {
        return {(k & ((1 << log2_columns) - 1)) << log2_width, (k >> log2_columns) * tile_height};
    }
    int end() const { return first + count; }
};

/// V h at a texel, for numbers h that lie four to a texel.
inline vec4 linear_combination(const In& V, const In& h, const Layers& layers, ivec2 at) {
    vec4 sum(0.0f);
    for (int k = layers.first; k < layers.end(); ++k) sum += h(ivec2(0, k >> 2))[k & 3] * V(layers.corner(k) + at);
    return sum;
}

}  // namespace glsolve::inline v0_1::host
