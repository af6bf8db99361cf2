// The reference of the passes on bases of Krylov spaces. See shaders/pass/basis_update.glsl,
// shaders/pass/normalise.glsl and, for inner products, shaders/reduction.glsl.
#include <cmath>

#include "host/basis_layers.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// The sum of term(at) over a rectangle, line by line.
template <class Term>
vec4 sum_over(ivec2 begin, ivec2 end, const Term& term) {
    vec4 all(0.0f);
    for (int j = begin.y; j < end.y; ++j) {
        vec4 line(0.0f);
        for (int i = begin.x; i < end.x; ++i) line += term(ivec2(i, j));
        all += line;
    }
    return all;
}

/// One stage: each block has its tiles below those of the block before. term(block, at).
template <class Term>
void stage(const Pass& pass, const Out& out, ivec2 extent, const Term& term) {
    const ivec2 tile(pass.tile[0], pass.tile[1]);
    const int tiles = (extent.y + tile.y - 1) / tile.y;
    pass.each([&](ivec2 at) {
        const ivec2 corner = ivec2(at.x, at.y % tiles) * tile;
        out(at) =
            sum_over(corner, glm::min(corner + tile, extent), [&](ivec2 from) { return term(at.y / tiles, from); });
    });
}

enum class Direction { plain, jacobi };

template <Direction direction>
void normalised(const Pass& pass) {
    const float square = pass.scalar(0).x;
    const bool there = square > 0 && std::isfinite(square) && !glm::any(pass.stopped);
    pass.each([&](ivec2 at) {
        vec4 x = pass.in(0)(at - pass.origin) / std::sqrt(square);
        if constexpr (direction == Direction::jacobi) x *= pass.in(1)(at);
        pass.out(0)(at) = there ? x : vec4(0.0f);
    });
}

/// Of input and output number `which`.
void sum_blocks(const Pass& pass, int which) {
    const ivec2 extent(pass.integer(4), pass.integer(5));
    const In in = pass.in(which);
    stage(pass, pass.out(which), extent, [&](int block, ivec2 at) { return in(at + ivec2(0, block * extent.y)); });
}
void last_of_blocks(const Pass& pass, int which) {
    const ivec2 extent(pass.integer(0), pass.integer(1));
    const In in = pass.in(which);
    pass.each([&](ivec2 at) {
        const int block = at.y - pass.integer(2);
        const bool wanted = block >= 0 && block < pass.integer(3);
        pass.out(which)(at) =
            wanted ? sum_over({0, 0}, extent, [&](ivec2 from) { return in(from + ivec2(0, block * extent.y)); })
                   : vec4(0.0f);
    });
}

/// In integers from the first on: log2_width, log2_columns, tile_height, first, count.
Layers layers_of(const Pass& pass, int i = 0) {
    return {pass.integer(i), pass.integer(i + 1), pass.integer(i + 2), pass.integer(i + 3), pass.integer(i + 4)};
}

vec4 linear_combination(const Pass& pass, ivec2 at) {
    return linear_combination(pass.in(0), pass.in(1), layers_of(pass), at);
}

/// The inner products of x with four vectors of a block, `last` being one of its own.
vec4 block_of_products(const Pass& pass, const Layers& layers, int block, ivec2 at, vec4 x,
                       const vec4* last = nullptr) {
    vec4 four(0.0f);
    for (int i = 0; i < 4; ++i) {
        const int k = 4 * (block + layers.first / 4) + i;
        if (k < layers.first || k >= layers.end()) continue;
        const bool own = last != nullptr && k + 1 == layers.end();
        four[i] = glm::dot(x, own ? *last : pass.in(last != nullptr ? 2 : 1)(layers.corner(k) + at));
    }
    return four;
}

}  // namespace

void normalise(const Pass& pass) { normalised<Direction::plain>(pass); }
void normalise_jacobi(const Pass& pass) { normalised<Direction::jacobi>(pass); }
void normalise_layer(const Pass& pass) { normalised<Direction::plain>(pass); }

void basis_dot(const Pass& pass) {
    const Layers layers = layers_of(pass, 4);
    stage(pass, pass.out(0), layers.extent(),
          [&](int block, ivec2 at) { return block_of_products(pass, layers, block, at, pass.in(0)(at)); });
}

void basis_dot_pair(const Pass& pass) {
    const Layers layers = layers_of(pass, 4);
    for (const int output : {0, 1}) {
        stage(pass, pass.out(output), layers.extent(), [&](int block, ivec2 at) {
            const vec4 x = pass.in(0)(at);
            return block_of_products(pass, layers, block, at, pass.in(output)(at), &x);
        });
    }
}

void basis_sum(const Pass& pass) { sum_blocks(pass, 0); }
void basis_sum_pair(const Pass& pass) {
    for (const int which : {0, 1}) sum_blocks(pass, which);
}

void basis_last(const Pass& pass) { last_of_blocks(pass, 0); }
void basis_last_pair(const Pass& pass) {
    for (const int which : {0, 1}) last_of_blocks(pass, which);
}

void basis_subtract(const Pass& pass) {
    pass.each([&](ivec2 at) { pass.out(0)(at) = pass.in(2)(at)-linear_combination(pass, at); });
}

void basis_subtract_norm(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const vec4 y = pass.in(2)(at)-linear_combination(pass, at);
        pass.out(0)(at) = y;
        pass.out(1)(at) = y * y;
    });
}

void basis_combine(const Pass& pass) {
    pass.each([&](ivec2 at) { pass.out(0)(at) = linear_combination(pass, at); });
}

void basis_combine_jacobi(const Pass& pass) {
    pass.each([&](ivec2 at) { pass.out(0)(at) = pass.in(2)(at)*linear_combination(pass, at); });
}

}  // namespace glsolve::inline v0_1::host
