// The reference of the products with sparse matrices. See shaders/pass/{dia,ell,sliced}.glsl.
#include <type_traits>

#include "host/product_kind.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// Four numbers of a product: floats, or two floats each, for which double precision stands here.
template <Kind kind>
using Number = std::conditional_t<in_two_floats(kind), dvec4, vec4>;

/// The inputs of a product, in the order of the pass table.
template <Kind kind>
struct Inputs {
    explicit Inputs(const Pass& p) : pass(p) {}

    static constexpr int x = 0, x_low = 1;
    static constexpr int a = kind == Kind::residual_two_float ? 2 : 1, a_low = a + 1;
    static constexpr int structure = in_two_floats(kind) ? a + 2 : a + 1;

    /// A number of an input that is followed by its low part, where it has one.
    Number<kind> number(int i, ivec2 at, bool low) const {
        if constexpr (in_two_floats(kind)) {
            return dvec4(pass.in(i)(at)) + (low ? dvec4(pass.in(i + 1)(at)) : dvec4(0.0));
        } else {
            return pass.in(i)(at);
        }
    }
    Number<kind> a_at(ivec2 at) const { return number(a, at, pass.inputs[a_low] != pass.inputs[a]); }
    Number<kind> b_at(ivec2 at) const {
        const auto inputs = static_cast<int>(row(pass.call.pass).inputs.size());
        return number(in_two_floats(kind) ? inputs - 2 : inputs - 1, at, true);
    }

    const Pass& pass;
};

/// How products read x. `log2_width`: of its texture.
template <Kind kind>
struct X {
    const Inputs<kind>& in;
    int log2_width;
    int step = 0;  // of a chaotic pass

    /// Zeros outside of it (some shaders find a texel inside there, which is multiplied by zero).
    Number<kind> texel(int t) const {
        const ivec2 at(t & ((1 << log2_width) - 1), t >> log2_width);
        if (at.y < 0 || at.y >= in.pass.in(0).height()) return Number<kind>(0);
        if constexpr (kind == Kind::chebyshev_chaotic) return load_shared(read_in(in.pass, step), at);
        return in.number(Inputs<kind>::x, at, kind == Kind::residual_two_float);
    }
    auto element(int column) const { return texel(column >> 2)[column & 3]; }
    Number<kind> elements(ivec4 c) const { return {element(c.x), element(c.y), element(c.z), element(c.w)}; }
    /// Four consecutive numbers, the first of them `offset` behind the beginning of texel t.
    Number<kind> run(int t, int offset) const {
        Number<kind> four;
        for (int i = 0; i < 4; ++i) four[i] = element(4 * t + offset + i);
        return four;
    }
};

/// The sum over the terms of a row, and |A| |x|.
template <Kind kind>
struct Row {
    Number<kind> sum{0}, size{0};

    void add(const Number<kind>& a, const Number<kind>& x, const Number<kind>& base) {
        sum += a * (x - base);
        if constexpr (kind == Kind::residual_two_float) size += glm::abs(a) * (glm::abs(x) + glm::abs(base));
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

// y <- A x, or b - A x, or a step; sum <- x * y, or ((r,r), |size|^2, 0, 0)
template <Kind kind, class Product>
void finish(const Inputs<kind>& in, int log2_width, const Product& product) {
    const Pass& pass = in.pass;
    if constexpr (kind == Kind::chebyshev_chaotic) {
        each_in_no_order(pass, [&](int step, ivec2 at) {
            const X<kind> x{in, log2_width, step};
            const vec4 here = x.texel((at.y << log2_width) + at.x);
            store_step<kind>(pass, at, here, product(x, at).sum, step);
        });
        return;
    }
    const Out out_y = pass.out(0);
    const X<kind> x{in, log2_width};
    pass.each([&](ivec2 at) {
        const Row<kind> row = product(x, at);
        const vec4 here = vec4(x.texel((at.y << log2_width) + at.x));
        if constexpr (is_step(kind)) {
            store_step<kind>(pass, at, here, row.sum);
            return;
        }
        Number<kind> y = row.sum;
        if constexpr (is_residual(kind)) y = in.b_at(at) - row.sum;
        if constexpr (in_two_floats(kind)) {
            split(y, out_y(at), pass.out(1)(at));
        } else {
            out_y(at) = y;
        }
        if constexpr (kind == Kind::multiply_dot) pass.out(1)(at) = here * vec4(y);
        if constexpr (kind == Kind::multiply_two_float) pass.out(2)(at) = here * vec4(y);
        if constexpr (kind == Kind::residual_two_float) {
            const vec4 r = vec4(y), size = vec4(row.size + glm::abs(in.b_at(at)));
            pass.out(2)(at) = vec4(glm::dot(r, r), glm::dot(size, size), 0.0f, 0.0f);
        }
    });
}

/// Diagonal k, as src/formats/dia.cpp writes it.
struct DiaEntry {
    DiaEntry(const In& in_diagonals, int k) {
        const ivec4 first = in_diagonals.integer({k, 0}), second = in_diagonals.integer({k, 1});
        offset = first.x, tile = first.y;
        period = second.x, begin = second.y, length = second.z;
    }
    /// x without what meets the gap.
    template <class Four>
    Four without_gap(Four x, int t) const {
        for (int lane = 0; lane < 4; ++lane) {
            const int phase = (4 * t + lane) % period - begin;
            if (0 <= phase && phase < length) x[lane] = 0;
        }
        return x;
    }

    int offset, tile, period, begin, length;
};

template <Kind kind>
void dia(const Pass& pass) {
    const Inputs<kind> in(pass);
    const In in_diagonals = pass.in(Inputs<kind>::structure);
    const Tiles arg(pass);
    const auto values = [&](const DiaEntry& d, int k, ivec2 at) {
        if (d.tile >= 0) return in.a_at(arg.corner(d.tile) + at);
        const auto two = 2 * static_cast<std::size_t>(k);
        Number<kind> v(pass.call.table[two]);
        if constexpr (in_two_floats(kind)) v += dvec4(pass.call.table[two + 1]);
        return v;
    };
    finish(in, arg.log2_width, [&](const X<kind>& x, ivec2 at) {
        const int t = (at.y << arg.log2_width) + at.x;
        const Number<kind> zero(0), here = x.texel(t), base = arg.differences ? here : zero;
        Row<kind> row;
        row.add(values(DiaEntry(in_diagonals, arg.count), arg.count, at), here, zero);
        for (int k = 0; k < arg.count; ++k) {
            const DiaEntry d(in_diagonals, k);
            row.add(values(d, k, at), d.without_gap(x.run(t, d.offset), t), base);
        }
        const bvec4 inside = glm::lessThan(ivec4(4 * t) + ivec4(0, 1, 2, 3), ivec4(arg.length));
        return Row<kind>{glm::mix(zero, row.sum, inside), glm::mix(zero, row.size, inside)};  // padding stays zero
    });
}

template <Kind kind>
void ell(const Pass& pass) {
    const Inputs<kind> in(pass);
    const In in_columns = pass.in(Inputs<kind>::structure);
    const Tiles arg(pass);
    finish(in, arg.log2_width, [&](const X<kind>& x, ivec2 at) {
        const Number<kind> zero(0), here = x.texel((at.y << arg.log2_width) + at.x),
                                    base = arg.differences ? here : zero;
        Row<kind> row;
        row.add(in.a_at(arg.diagonal + at), here, zero);
        for (int k = 0; k < arg.count; ++k) {
            const ivec2 from = arg.corner(k) + at;
            row.add(in.a_at(from), x.elements(in_columns.integer(from)), base);
        }
        return row;
    });
}

template <Kind kind>
void sliced(const Pass& pass) {
    const Inputs<kind> in(pass);
    const In in_columns = pass.in(Inputs<kind>::structure), in_slices = pass.in(Inputs<kind>::structure + 1);
    const int log2_width = pass.integer(0), log2_values = pass.integer(1), log2_columns = pass.integer(2),
              log2_slices = pass.integer(3), log2_slice = pass.integer(4);
    const bool differences = pass.integer(5) != 0;
    const int runs = pass.integer(6), singles = pass.integer(7);  // in all slices; runs < 0: the slices differ
    const auto place = [](int texel, int log2) { return ivec2(texel & ((1 << log2) - 1), texel >> log2); };
    finish(in, log2_width, [&](const X<kind>& x, ivec2 at) {
        const int t = (at.y << log2_width) + at.x;
        const int slice = t >> log2_slice, lane = t - (slice << log2_slice), step = 1 << log2_slice;
        const ivec4 slots = runs < 0 ? in_slices.integer(place(slice, log2_slices))
                                     : ivec4((slice * (1 + runs + singles)) << log2_slice,
                                             (slice * ((runs + 3) / 4 + singles)) << log2_slice, runs, singles);
        int value = slots.x + lane, column = slots.y + lane;
        const Number<kind> zero(0), here = x.texel(t), base = differences ? here : zero;
        Row<kind> row;
        row.add(in.a_at(place(value, log2_values)), here, zero);
        for (int k = 0; k < slots.z; ++k) {
            const int first = in_columns.integer(place(column + (k >> 2) * step, log2_columns))[k & 3];
            value += step;
            row.add(in.a_at(place(value, log2_values)), x.run(0, first), base);
        }
        column += ((slots.z + 3) >> 2) * step;
        for (int k = 0; k < slots.w; ++k) {
            value += step;
            row.add(in.a_at(place(value, log2_values)), x.elements(in_columns.integer(place(column, log2_columns))),
                    base);
            column += step;
        }
        return row;
    });
}

}  // namespace

void dia_multiply(const Pass& pass) { dia<Kind::multiply>(pass); }
void dia_multiply_dot(const Pass& pass) { dia<Kind::multiply_dot>(pass); }
void dia_residual(const Pass& pass) { dia<Kind::residual>(pass); }
void dia_multiply_two_float(const Pass& pass) { dia<Kind::multiply_two_float>(pass); }
void dia_residual_two_float(const Pass& pass) { dia<Kind::residual_two_float>(pass); }
void dia_relax(const Pass& pass) { dia<Kind::relax>(pass); }
void dia_chebyshev(const Pass& pass) { dia<Kind::chebyshev>(pass); }
void dia_chebyshev_norms(const Pass& pass) { dia<Kind::chebyshev_norms>(pass); }
void dia_chebyshev_chaotic(const Pass& pass) { dia<Kind::chebyshev_chaotic>(pass); }
void ell_multiply(const Pass& pass) { ell<Kind::multiply>(pass); }
void ell_multiply_dot(const Pass& pass) { ell<Kind::multiply_dot>(pass); }
void ell_residual(const Pass& pass) { ell<Kind::residual>(pass); }
void ell_multiply_two_float(const Pass& pass) { ell<Kind::multiply_two_float>(pass); }
void ell_residual_two_float(const Pass& pass) { ell<Kind::residual_two_float>(pass); }
void ell_relax(const Pass& pass) { ell<Kind::relax>(pass); }
void ell_chebyshev(const Pass& pass) { ell<Kind::chebyshev>(pass); }
void ell_chebyshev_norms(const Pass& pass) { ell<Kind::chebyshev_norms>(pass); }
void ell_chebyshev_chaotic(const Pass& pass) { ell<Kind::chebyshev_chaotic>(pass); }
void sliced_multiply(const Pass& pass) { sliced<Kind::multiply>(pass); }
void sliced_multiply_dot(const Pass& pass) { sliced<Kind::multiply_dot>(pass); }
void sliced_residual(const Pass& pass) { sliced<Kind::residual>(pass); }
void sliced_multiply_two_float(const Pass& pass) { sliced<Kind::multiply_two_float>(pass); }
void sliced_residual_two_float(const Pass& pass) { sliced<Kind::residual_two_float>(pass); }
void sliced_relax(const Pass& pass) { sliced<Kind::relax>(pass); }
void sliced_chebyshev(const Pass& pass) { sliced<Kind::chebyshev>(pass); }
void sliced_chebyshev_norms(const Pass& pass) { sliced<Kind::chebyshev_norms>(pass); }
void sliced_chebyshev_chaotic(const Pass& pass) { sliced<Kind::chebyshev_chaotic>(pass); }

}  // namespace glsolve::inline v0_1::host
