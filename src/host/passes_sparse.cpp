// The reference of the products with sparse matrices. See shaders/pass/{dia,ell}.glsl.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

// What a product is made into.
enum class Kind { multiply, multiply_dot, residual };

struct MatrixArguments {
    explicit MatrixArguments(const Pass& pass)
        : log2_width(pass.integer(0)),
          log2_columns(pass.integer(1)),
          count(pass.integer(2)),
          tile_height(pass.integer(3)),
          length(pass.integer(4)),
          diagonal(pass.tile_corner(pass.integer(5), log2_columns, tile_height)),
          differences(pass.integer(6) != 0) {}
    int log2_width, log2_columns, count, tile_height, length;
    ivec2 diagonal;  // first texel of its tile
    bool differences;

    ivec2 texel(int t) const { return {t & ((1 << log2_width) - 1), t >> log2_width}; }
};

// y <- A x, or b - A x; sum <- x * y
template <Kind kind, class Product>
void finish(const Pass& pass, const Product& product) {
    const In in_x = pass.in(0);
    const Out out_y = pass.out(0);
    pass.each([&](ivec2 at) {
        const vec4 p = product(at);
        if constexpr (kind == Kind::residual) {
            out_y(at) = pass.in(3)(at)-p;
        } else {
            out_y(at) = p;
        }
        if constexpr (kind == Kind::multiply_dot) pass.out(1)(at) = in_x(at) * p;
    });
}

/// The numbers whose places are inside the vector, zeros for the others.
vec4 inside(vec4 numbers, int first, int length) {
    const ivec4 place = ivec4(first) + ivec4(0, 1, 2, 3);
    return glm::mix(vec4(0.0f), glm::mix(vec4(0.0f), numbers, glm::lessThan(place, ivec4(length))),
                    glm::greaterThanEqual(place, ivec4(0)));
}

template <Kind kind>
void dia(const Pass& pass) {
    const In in_x = pass.in(0), in_a = pass.in(1), in_diagonals = pass.in(2);
    const MatrixArguments arg(pass);
    const auto x_texel = [&](int t) { return in_x.clamped(arg.texel(t)); };
    finish<kind>(pass, [&](ivec2 at) {
        const int t = (at.y << arg.log2_width) + at.x;
        const vec4 here = x_texel(t), base = arg.differences ? here : vec4(0.0f);
        vec4 product = in_a(arg.diagonal + at) * here;
        for (int k = 0; k < arg.count; ++k) {
            const ivec4 diagonal = in_diagonals.integer({k, 0});
            const int offset = diagonal.x, tile = diagonal.y;
            const int first = t + (offset >> 2);
            vec4 x = x_texel(first);
            if ((offset & 3) != 0) {
                const vec4 next = x_texel(first + 1);
                x = (offset & 3) == 1   ? vec4(x.y, x.z, x.w, next.x)
                    : (offset & 3) == 2 ? vec4(x.z, x.w, next.x, next.y)
                                        : vec4(x.w, next.x, next.y, next.z);
            }
            if (tile >= 0) {
                product += in_a(pass.tile_corner(tile, arg.log2_columns, arg.tile_height) + at) * (x - base);
            } else {
                product += std::bit_cast<float>(diagonal.z) * inside(x - base, 4 * t + offset, arg.length);
            }
        }
        return inside(product, 4 * t, arg.length);  // the padding stays zero
    });
}

template <Kind kind>
void ell(const Pass& pass) {
    const In in_x = pass.in(0), in_a = pass.in(1), in_columns = pass.in(2);
    const MatrixArguments arg(pass);
    const auto x_element = [&](int column) { return in_x(arg.texel(column >> 2))[column & 3]; };
    finish<kind>(pass, [&](ivec2 at) {
        const vec4 here = in_x(at), base = arg.differences ? here : vec4(0.0f);
        vec4 product = in_a(arg.diagonal + at) * here;
        for (int k = 0; k < arg.count; ++k) {
            const ivec2 from = pass.tile_corner(k, arg.log2_columns, arg.tile_height) + at;
            const ivec4 column = in_columns.integer(from);
            const vec4 x(x_element(column.x), x_element(column.y), x_element(column.z), x_element(column.w));
            product += in_a(from) * (x - base);
        }
        return product;
    });
}

}  // namespace

void dia_multiply(const Pass& pass) { dia<Kind::multiply>(pass); }
void dia_multiply_dot(const Pass& pass) { dia<Kind::multiply_dot>(pass); }
void dia_residual(const Pass& pass) { dia<Kind::residual>(pass); }
void ell_multiply(const Pass& pass) { ell<Kind::multiply>(pass); }
void ell_multiply_dot(const Pass& pass) { ell<Kind::multiply_dot>(pass); }
void ell_residual(const Pass& pass) { ell<Kind::residual>(pass); }

}  // namespace glsolve::inline v0_1::host
