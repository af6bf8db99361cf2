// The reference of the products with sparse matrices. See shaders/pass/{dia,ell,sliced}.glsl.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

// What a product is made into.
enum class Kind { multiply, multiply_dot, residual };

/// How products read x. `log2_width`: of its texture.
struct X {
    In in;
    int log2_width;

    /// Zeros outside of it.
    vec4 texel(int t) const {
        const int y = t >> log2_width;
        return y >= 0 && y < in.height() ? in({t & ((1 << log2_width) - 1), y}) : vec4(0.0f);
    }
    float element(int column) const { return texel(column >> 2)[column & 3]; }
    vec4 elements(ivec4 c) const { return {element(c.x), element(c.y), element(c.z), element(c.w)}; }
    /// Four consecutive numbers, the first of them `shift` behind the beginning of texel t.
    vec4 run(int t, int shift) const {
        const vec4 x = texel(t);
        if (shift == 0) return x;
        const vec4 next = texel(t + 1);
        return shift == 1   ? vec4(x.y, x.z, x.w, next.x)
               : shift == 2 ? vec4(x.z, x.w, next.x, next.y)
                            : vec4(x.w, next.x, next.y, next.z);
    }
};

/// The arguments of formats in tiles.
struct Tiles {
    explicit Tiles(const Pass& p)
        : pass(p),
          log2_width(pass.integer(0)),
          log2_columns(pass.integer(1)),
          count(pass.integer(2)),
          tile_height(pass.integer(3)),
          length(pass.integer(4)),
          diagonal(corner(pass.integer(5))),
          differences(pass.integer(6) != 0) {}
    ivec2 corner(int tile) const { return pass.tile_corner(tile, log2_columns, tile_height); }

    const Pass& pass;
    int log2_width, log2_columns, count, tile_height, length;
    ivec2 diagonal;  // first texel of its tile
    bool differences;
};

// y <- A x, or b - A x; sum <- x * y
template <Kind kind, class Product>
void finish(const Pass& pass, const Product& product) {
    const In in_x = pass.in(0), in_b = pass.in(static_cast<int>(row(pass.call.pass).inputs.size()) - 1);
    const Out out_y = pass.out(0);
    pass.each([&](ivec2 at) {
        const vec4 p = product(at);
        if constexpr (kind == Kind::residual) {
            out_y(at) = in_b(at) - p;
        } else {
            out_y(at) = p;
        }
        if constexpr (kind == Kind::multiply_dot) pass.out(1)(at) = in_x(at) * p;
    });
}

/// Diagonal k, as src/formats/dia.cpp writes it.
struct DiaEntry {
    DiaEntry(const In& in_diagonals, int k) {
        const ivec4 first = in_diagonals.integer({k, 0}), second = in_diagonals.integer({k, 1});
        offset = first.x, tile = first.y, value = std::bit_cast<float>(first.z);
        period = second.x, begin = second.y, length = second.z;
    }
    /// x without what meets the gap.
    vec4 without_gap(vec4 x, int t) const {
        for (int lane = 0; lane < 4; ++lane) {
            const int phase = (4 * t + lane) % period - begin;
            if (0 <= phase && phase < length) x[lane] = 0;
        }
        return x;
    }

    int offset, tile, period, begin, length;
    float value;
};

template <Kind kind>
void dia(const Pass& pass) {
    const In in_a = pass.in(1), in_diagonals = pass.in(2);
    const Tiles arg(pass);
    const X x{pass.in(0), arg.log2_width};
    finish<kind>(pass, [&](ivec2 at) {
        const int t = (at.y << arg.log2_width) + at.x;
        const vec4 here = x.texel(t), base = arg.differences ? here : vec4(0.0f);
        const auto values = [&](const DiaEntry& d) {
            return d.tile >= 0 ? in_a(arg.corner(d.tile) + at) : vec4(d.value);
        };
        vec4 product = values(DiaEntry(in_diagonals, arg.count)) * here;
        for (int k = 0; k < arg.count; ++k) {
            const DiaEntry d(in_diagonals, k);
            product += values(d) * (d.without_gap(x.run(t + (d.offset >> 2), d.offset & 3), t) - base);
        }
        const ivec4 place = ivec4(4 * t) + ivec4(0, 1, 2, 3);
        return glm::mix(vec4(0.0f), product, glm::lessThan(place, ivec4(arg.length)));  // the padding stays zero
    });
}

template <Kind kind>
void ell(const Pass& pass) {
    const In in_a = pass.in(1), in_columns = pass.in(2);
    const Tiles arg(pass);
    const X x{pass.in(0), arg.log2_width};
    finish<kind>(pass, [&](ivec2 at) {
        const vec4 here = x.in(at), base = arg.differences ? here : vec4(0.0f);
        vec4 product = in_a(arg.diagonal + at) * here;
        for (int k = 0; k < arg.count; ++k) {
            const ivec2 from = arg.corner(k) + at;
            product += in_a(from) * (x.elements(in_columns.integer(from)) - base);
        }
        return product;
    });
}

template <Kind kind>
void sliced(const Pass& pass) {
    const In in_a = pass.in(1), in_columns = pass.in(2), in_slices = pass.in(3);
    const int log2_width = pass.integer(0), log2_values = pass.integer(1), log2_columns = pass.integer(2),
              log2_slices = pass.integer(3), log2_slice = pass.integer(4);
    const bool differences = pass.integer(5) != 0;
    const int runs = pass.integer(6), singles = pass.integer(7);  // in all slices; runs < 0: the slices differ
    const X x{pass.in(0), log2_width};
    const auto place = [](int texel, int log2) { return ivec2(texel & ((1 << log2) - 1), texel >> log2); };
    finish<kind>(pass, [&](ivec2 at) {
        const int t = (at.y << log2_width) + at.x;
        const int slice = t >> log2_slice, lane = t - (slice << log2_slice), step = 1 << log2_slice;
        const ivec4 slots = runs < 0 ? in_slices.integer(place(slice, log2_slices))
                                     : ivec4((slice * (1 + runs + singles)) << log2_slice,
                                             (slice * ((runs + 3) / 4 + singles)) << log2_slice, runs, singles);
        int value = slots.x + lane, column = slots.y + lane;
        const vec4 here = x.in(at), base = differences ? here : vec4(0.0f);
        vec4 product = in_a(place(value, log2_values)) * here;
        for (int k = 0; k < slots.z; ++k) {
            const int first = in_columns.integer(place(column + (k >> 2) * step, log2_columns))[k & 3];
            value += step;
            product += in_a(place(value, log2_values)) * (x.run(first >> 2, first & 3) - base);
        }
        column += ((slots.z + 3) >> 2) * step;
        for (int k = 0; k < slots.w; k += 2) {
            const ivec4 c = in_columns.integer(place(column, log2_columns));
            const ivec4 d = in_columns.integer(place(column + step, log2_columns));
            product += in_a(place(value + step, log2_values)) * (x.elements(c) - base)
                       + in_a(place(value + 2 * step, log2_values)) * (x.elements(d) - base);
            column += 2 * step;
            value += 2 * step;
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
void sliced_multiply(const Pass& pass) { sliced<Kind::multiply>(pass); }
void sliced_multiply_dot(const Pass& pass) { sliced<Kind::multiply_dot>(pass); }
void sliced_residual(const Pass& pass) { sliced<Kind::residual>(pass); }

}  // namespace glsolve::inline v0_1::host
