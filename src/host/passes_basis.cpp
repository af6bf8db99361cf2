// The reference of the passes on bases of Krylov spaces. See shaders/pass/basis_update.glsl,
// shaders/pass/normalise.glsl and, for inner products, shaders/reduction.glsl.
#include <cmath>

#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// The layers of a basis: arguments from integer `first` on are log2_width, log2_columns, tile_height, first, count.
struct Layers {
    const Pass& pass;
    int arguments;

    int argument(int i) const { return pass.integer(arguments + i); }
    ivec2 extent() const { return {1 << argument(0), argument(2)}; }
    ivec2 corner(int k) const {
        return {(k & ((1 << argument(1)) - 1)) << argument(0), (k >> argument(1)) * argument(2)};
    }
    int first() const { return argument(3); }
    int end() const { return argument(3) + argument(4); }
};

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
void stage(const Pass& pass, ivec2 extent, const Term& term) {
    const ivec2 tile(pass.tile[0], pass.tile[1]);
    const int tiles = (extent.y + tile.y - 1) / tile.y;
    pass.each([&](ivec2 at) {
        const ivec2 corner = ivec2(at.x, at.y % tiles) * tile;
        pass.out(0)(at) =
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

vec4 linear_combination(const Pass& pass, const Layers& layers, ivec2 at) {
    vec4 sum(0.0f);
    for (int k = layers.first(); k < layers.end(); ++k) {
        sum += pass.in(1)(ivec2(0, k >> 2))[k & 3] * pass.in(0)(layers.corner(k) + at);
    }
    return sum;
}

}  // namespace

void normalise(const Pass& pass) { normalised<Direction::plain>(pass); }
void normalise_jacobi(const Pass& pass) { normalised<Direction::jacobi>(pass); }
void normalise_layer(const Pass& pass) { normalised<Direction::plain>(pass); }

void basis_dot(const Pass& pass) {
    const Layers layers{pass, 4};
    stage(pass, layers.extent(), [&](int block, ivec2 at) {
        const vec4 x = pass.in(0)(at);
        vec4 four(0.0f);
        for (int i = 0; i < 4; ++i) {
            const int k = 4 * (block + layers.first() / 4) + i;
            if (k >= layers.first() && k < layers.end()) four[i] = glm::dot(x, pass.in(1)(layers.corner(k) + at));
        }
        return four;
    });
}

void basis_sum(const Pass& pass) {
    const ivec2 extent(pass.integer(4), pass.integer(5));
    stage(pass, extent, [&](int block, ivec2 at) { return pass.in(0)(at + ivec2(0, block * extent.y)); });
}

void basis_last(const Pass& pass) {
    const ivec2 extent(pass.integer(0), pass.integer(1));
    pass.each([&](ivec2 at) {
        const int block = at.y - pass.integer(2);
        const bool wanted = block >= 0 && block < pass.integer(3);
        pass.out(0)(at) =
            wanted ? sum_over({0, 0}, extent, [&](ivec2 from) { return pass.in(0)(from + ivec2(0, block * extent.y)); })
                   : vec4(0.0f);
    });
}

void basis_subtract(const Pass& pass) {
    pass.each([&](ivec2 at) { pass.out(0)(at) = pass.in(2)(at)-linear_combination(pass, {pass, 0}, at); });
}

void basis_subtract_norm(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const vec4 y = pass.in(2)(at)-linear_combination(pass, {pass, 0}, at);
        pass.out(0)(at) = y;
        pass.out(1)(at) = y * y;
    });
}

void basis_combine(const Pass& pass) {
    pass.each([&](ivec2 at) { pass.out(0)(at) = linear_combination(pass, {pass, 0}, at); });
}

void basis_combine_jacobi(const Pass& pass) {
    pass.each([&](ivec2 at) { pass.out(0)(at) = pass.in(2)(at)*linear_combination(pass, {pass, 0}, at); });
}

}  // namespace glsolve::inline v0_1::host
