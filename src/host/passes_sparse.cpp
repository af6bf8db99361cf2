// The reference of the products with sparse matrices. See shaders/pass/{dia,ell,sliced,grid}.glsl.
#include <type_traits>

#include "core/no_unknown.hpp"
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

/// Which rows a texel of y is: four of one vector, those of texel t of the matrix's own layout. Of a Field it is one
/// row in four right-hand sides; of what the matrix holds for four rows it takes its lane, four times.
struct Rows {
    int t;
    ivec4 lanes;
    ivec2 place;  // of texel t
    bvec4 inside;
};

/// How products read x, in the texture that it shares its layout with y.
template <Kind kind>
struct X {
    static constexpr bool field = is_field(kind);

    /// `log2_width`: of the matrix's own layout.
    X(const Inputs<kind>& i, int log2_width, int n)
        : in(i),
          log2_rows(log2_width),
          log2_x(field ? in.pass.integer(static_cast<int>(row(in.pass.call.pass).integers.size()) - 1) : log2_width),
          length(n) {}
    /// The same in another step of a chaotic pass.
    X in_step(int k) const {
        X other = *this;
        other.step = k;
        return other;
    }

    Rows rows(ivec2 at) const {
        const int texel = (at.y << log2_x) + at.x;
        const int own = field ? std::clamp(texel, 0, std::max(length - 1, 0)) : 4 * texel, t = own >> 2;
        const ivec4 lanes = field ? ivec4(own & 3) : ivec4(0, 1, 2, 3);
        return {t,
                lanes,
                {t & ((1 << log2_rows) - 1), t >> log2_rows},
                glm::lessThan(field ? ivec4(texel) : 4 * texel + lanes, ivec4(length))};
    }
    /// The numbers of the matrix at a texel of `a`.
    Number<kind> a(const Rows& rows, ivec2 from) const {
        const Number<kind> four = in.a_at(from);
        return {four[rows.lanes.x], four[rows.lanes.y], four[rows.lanes.z], four[rows.lanes.w]};
    }

    /// Zeros outside of it (some shaders find a texel inside there, which is multiplied by zero).
    Number<kind> texel(int t) const {
        const ivec2 at(t & ((1 << log2_x) - 1), t >> log2_x);
        if (at.y < 0 || at.y >= in.pass.in(0).height()) return Number<kind>(0);
        if constexpr (kind == Kind::chebyshev_chaotic) return load_shared(read_in(in.pass, step), at);
        if constexpr (is_twice(kind)) return scaled_x<kind>(in.pass, at);
        return in.number(Inputs<kind>::x, at, kind == Kind::residual_two_float);
    }
    Number<kind> here(const Rows& rows) const { return texel(field ? 4 * rows.t + rows.lanes.x : rows.t); }
    auto element(int column) const { return texel(column >> 2)[column & 3]; }
    Number<kind> elements(const Rows& rows, ivec4 c) const {
        if constexpr (field) return texel(c[rows.lanes.x]);
        return {element(c.x), element(c.y), element(c.z), element(c.w)};
    }
    /// Four consecutive numbers, the first of them `offset` behind the beginning of texel t; of a Field the one that is
    /// its row's.
    Number<kind> run(const Rows& rows, int t, int offset) const {
        if constexpr (field) return texel(4 * t + rows.lanes.x + offset);
        Number<kind> four;
        for (int i = 0; i < 4; ++i) four[i] = element(4 * t + offset + i);
        return four;
    }

    const Inputs<kind>& in;
    int log2_rows, log2_x, length;
    int step = 0;  // of a chaotic pass
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
    ivec2 corner(int tile) const {
        return {(tile & ((1 << log2_columns) - 1)) << log2_width, (tile >> log2_columns) * tile_height};
    }

    const Pass& pass;
    int log2_width, log2_columns, count, tile_height, length;
    ivec2 diagonal;  // first texel of its tile
    bool differences;
};

// y <- A x, or b - A x, or a step; sum <- x * y, or ((r,r), |size|^2, 0, 0)
template <Kind kind, class Product>
void finish(const Inputs<kind>& in, const X<kind>& x, const Product& product) {
    const Pass& pass = in.pass;
    if constexpr (kind == Kind::chebyshev_chaotic) {
        each_in_no_order(pass, [&](int step, ivec2 at) {
            const X<kind> now = x.in_step(step);
            const Rows rows = now.rows(at);
            const vec4 sum = glm::mix(vec4(0), product(now, rows).sum, rows.inside);  // padding stays zero
            store_step<kind>(pass, at, now.here(rows), sum, step);
        });
        return;
    }
    const Out out_y = pass.out(0);
    pass.each([&](ivec2 at) {
        const Rows rows = x.rows(at);
        Row<kind> row = product(x, rows);
        const vec4 here = glm::mix(vec4(0), vec4(x.here(rows)), rows.inside);
        const Number<kind> zero(0);
        row = {glm::mix(zero, row.sum, rows.inside), glm::mix(zero, row.size, rows.inside)};  // padding stays zero
        if constexpr (is_step(kind)) {
            store_step<kind>(pass, at, here, row.sum);
            return;
        }
        if constexpr (kind == Kind::multiply_dots) {
            store_dots(pass, at, here, row.sum);
            return;
        }
        Number<kind> y = row.sum;
        if constexpr (is_residual(kind)) y = in.b_at(at) - row.sum;
        if constexpr (in_two_floats(kind)) {
            split(y, out_y(at), pass.out(1)(at));
        } else {
            out_y(at) = y;
        }
        if constexpr (kind == Kind::multiply_dot || kind == Kind::field) pass.out(1)(at) = here * vec4(y);
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
    Four without_gap(Four x, const Rows& rows) const {
        for (int i = 0; i < 4; ++i) {
            const int phase = (4 * rows.t + rows.lanes[i]) % period - begin;
            if (0 <= phase && phase < length) x[i] = 0;
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
    const X<kind> reader(in, arg.log2_width, arg.length);
    const auto values = [&](const DiaEntry& d, int k, const Rows& rows) {
        if (d.tile >= 0) return reader.a(rows, arg.corner(d.tile) + rows.place);
        const auto two = 2 * static_cast<std::size_t>(k);
        Number<kind> v(pass.call.table[two]);
        if constexpr (in_two_floats(kind)) v += dvec4(pass.call.table[two + 1]);
        return v;
    };
    finish(in, reader, [&](const X<kind>& x, const Rows& rows) {
        const Number<kind> zero(0), here = x.here(rows), base = arg.differences ? here : zero;
        Row<kind> row;
        row.add(values(DiaEntry(in_diagonals, arg.count), arg.count, rows), here, zero);
        for (int k = 0; k < arg.count; ++k) {
            const DiaEntry d(in_diagonals, k);
            row.add(values(d, k, rows), d.without_gap(x.run(rows, rows.t, d.offset), rows), base);
        }
        return row;
    });
}

template <Kind kind>
void ell(const Pass& pass) {
    const Inputs<kind> in(pass);
    const In in_columns = pass.in(Inputs<kind>::structure);
    const Tiles arg(pass);
    const X<kind> reader(in, arg.log2_width, arg.length);
    finish(in, reader, [&](const X<kind>& x, const Rows& rows) {
        const Number<kind> zero(0), here = x.here(rows), base = arg.differences ? here : zero;
        Row<kind> row;
        row.add(x.a(rows, arg.diagonal + rows.place), here, zero);
        for (int k = 0; k < arg.count; ++k) {
            const ivec2 from = arg.corner(k) + rows.place;
            row.add(x.a(rows, from), x.elements(rows, in_columns.integer(from)), base);
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
    const X<kind> reader(in, log2_width, pass.integer(8));
    const auto place = [](int texel, int log2) { return ivec2(texel & ((1 << log2) - 1), texel >> log2); };
    finish(in, reader, [&](const X<kind>& x, const Rows& rows) {
        const int t = rows.t;
        const int slice = t >> log2_slice, lane = t - (slice << log2_slice), step = 1 << log2_slice;
        const ivec4 slots = runs < 0 ? in_slices.integer(place(slice, log2_slices))
                                     : ivec4((slice * (1 + runs + singles)) << log2_slice,
                                             (slice * ((runs + 3) / 4 + singles)) << log2_slice, runs, singles);
        int value = slots.x + lane, column = slots.y + lane;
        const Number<kind> zero(0), here = x.here(rows), base = differences ? here : zero;
        Row<kind> row;
        row.add(x.a(rows, place(value, log2_values)), here, zero);
        for (int k = 0; k < slots.z; ++k) {
            const int first = in_columns.integer(place(column + (k >> 2) * step, log2_columns))[k & 3];
            value += step;
            row.add(x.a(rows, place(value, log2_values)), x.run(rows, 0, first), base);
        }
        column += ((slots.z + 3) >> 2) * step;
        for (int k = 0; k < slots.w; ++k) {
            value += step;
            row.add(x.a(rows, place(value, log2_values)),
                    x.elements(rows, in_columns.integer(place(column, log2_columns))), base);
            column += step;
        }
        return row;
    });
}

// a_i x_i + sum over the neighbours j of c_ij (x_i - x_j)
template <Kind kind>
void grid(const Pass& pass) {
    const Inputs<kind> in(pass);
    const int log2_width = pass.integer(0), dimensions = pass.integer(3), length = pass.integer(6);
    const bool constant = pass.integer(4) != 0;
    const std::array<int, 3> stride{1, 4 * pass.integer(1), 4 * pass.integer(2)};
    const X<kind> reader(in, log2_width, length);
    /// The couplings of four rows with the cells before the next ones along an axis, from `behind` rows before on.
    const auto couplings = [&](int axis, const Rows& rows, int behind) {
        if (constant) return vec4(1);
        vec4 c(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int i = 4 * rows.t + rows.lanes[lane] - behind, t = i >> 2;
            if (i < 0) continue;
            c[lane] = pass.in(Inputs<kind>::structure + axis)({t & ((1 << log2_width) - 1), t >> log2_width})[i & 3];
        }
        return c;
    };
    finish(in, reader, [&](const X<kind>& x, const Rows& rows) {
        const Number<kind> zero(0), here = x.here(rows);
        Number<kind> a(0);
        {
            const vec4 four = pass.in(Inputs<kind>::a)(rows.place);
            for (int lane = 0; lane < 4; ++lane) a[lane] = four[rows.lanes[lane]];
        }
        bvec4 unknown(true);
        if (constant) unknown = glm::greaterThan(a, Number<kind>(no_unknown));
        Row<kind> row;
        row.add(glm::mix(zero, a, unknown), here, zero);
        for (int axis = 0; axis < dimensions; ++axis) {
            const int s = stride[static_cast<std::size_t>(axis)];
            row.add(-Number<kind>(couplings(axis, rows, s)), x.run(rows, rows.t, -s), here);
            row.add(-Number<kind>(couplings(axis, rows, 0)), x.run(rows, rows.t, s), here);
        }
        return Row<kind>{glm::mix(zero, row.sum, unknown), glm::mix(zero, row.size, unknown)};
    });
}

/// The caller's words are the device's; the identity stands for them, as in shaders without any.
template <Kind kind>
void function(const Pass& pass) {
    const Inputs<kind> in(pass);
    const X<kind> reader(in, pass.integer(0), pass.integer(1));
    finish(in, reader, [&](const X<kind>& x, const Rows& rows) { return Row<kind>{x.here(rows), Number<kind>(0)}; });
}

}  // namespace

void dia_multiply(const Pass& pass) { dia<Kind::multiply>(pass); }
void dia_multiply_dot(const Pass& pass) { dia<Kind::multiply_dot>(pass); }
void dia_residual(const Pass& pass) { dia<Kind::residual>(pass); }
void dia_multiply_two_float(const Pass& pass) { dia<Kind::multiply_two_float>(pass); }
void dia_residual_two_float(const Pass& pass) { dia<Kind::residual_two_float>(pass); }
void dia_relax(const Pass& pass) { dia<Kind::relax>(pass); }
void dia_relax_twice(const Pass& pass) { dia<Kind::relax_twice>(pass); }
void dia_chebyshev(const Pass& pass) { dia<Kind::chebyshev>(pass); }
void dia_chebyshev_norms(const Pass& pass) { dia<Kind::chebyshev_norms>(pass); }
void dia_multiply_dots(const Pass& pass) { dia<Kind::multiply_dots>(pass); }
void dia_field(const Pass& pass) { dia<Kind::field>(pass); }
void dia_chebyshev_chaotic(const Pass& pass) { dia<Kind::chebyshev_chaotic>(pass); }
void ell_multiply(const Pass& pass) { ell<Kind::multiply>(pass); }
void ell_multiply_dot(const Pass& pass) { ell<Kind::multiply_dot>(pass); }
void ell_residual(const Pass& pass) { ell<Kind::residual>(pass); }
void ell_multiply_two_float(const Pass& pass) { ell<Kind::multiply_two_float>(pass); }
void ell_residual_two_float(const Pass& pass) { ell<Kind::residual_two_float>(pass); }
void ell_relax(const Pass& pass) { ell<Kind::relax>(pass); }
void ell_relax_twice(const Pass& pass) { ell<Kind::relax_twice>(pass); }
void ell_chebyshev(const Pass& pass) { ell<Kind::chebyshev>(pass); }
void ell_chebyshev_norms(const Pass& pass) { ell<Kind::chebyshev_norms>(pass); }
void ell_multiply_dots(const Pass& pass) { ell<Kind::multiply_dots>(pass); }
void ell_field(const Pass& pass) { ell<Kind::field>(pass); }
void ell_chebyshev_chaotic(const Pass& pass) { ell<Kind::chebyshev_chaotic>(pass); }
void sliced_multiply(const Pass& pass) { sliced<Kind::multiply>(pass); }
void sliced_multiply_dot(const Pass& pass) { sliced<Kind::multiply_dot>(pass); }
void sliced_residual(const Pass& pass) { sliced<Kind::residual>(pass); }
void sliced_multiply_two_float(const Pass& pass) { sliced<Kind::multiply_two_float>(pass); }
void sliced_residual_two_float(const Pass& pass) { sliced<Kind::residual_two_float>(pass); }
void sliced_relax(const Pass& pass) { sliced<Kind::relax>(pass); }
void sliced_relax_twice(const Pass& pass) { sliced<Kind::relax_twice>(pass); }
void sliced_chebyshev(const Pass& pass) { sliced<Kind::chebyshev>(pass); }
void sliced_chebyshev_norms(const Pass& pass) { sliced<Kind::chebyshev_norms>(pass); }
void sliced_multiply_dots(const Pass& pass) { sliced<Kind::multiply_dots>(pass); }
void sliced_field(const Pass& pass) { sliced<Kind::field>(pass); }
void sliced_chebyshev_chaotic(const Pass& pass) { sliced<Kind::chebyshev_chaotic>(pass); }
void grid_multiply(const Pass& pass) { grid<Kind::multiply>(pass); }
void grid_multiply_dot(const Pass& pass) { grid<Kind::multiply_dot>(pass); }
void grid_residual(const Pass& pass) { grid<Kind::residual>(pass); }
void grid_multiply_two_float(const Pass& pass) { grid<Kind::multiply_two_float>(pass); }
void grid_residual_two_float(const Pass& pass) { grid<Kind::residual_two_float>(pass); }
void grid_relax(const Pass& pass) { grid<Kind::relax>(pass); }
void grid_relax_twice(const Pass& pass) { grid<Kind::relax_twice>(pass); }
void grid_chebyshev(const Pass& pass) { grid<Kind::chebyshev>(pass); }
void grid_chebyshev_norms(const Pass& pass) { grid<Kind::chebyshev_norms>(pass); }
void grid_multiply_dots(const Pass& pass) { grid<Kind::multiply_dots>(pass); }
void grid_field(const Pass& pass) { grid<Kind::field>(pass); }
void grid_chebyshev_chaotic(const Pass& pass) { grid<Kind::chebyshev_chaotic>(pass); }
void grid_relax_field(const Pass& pass) { grid<Kind::relax_field>(pass); }
void grid_relax_twice_field(const Pass& pass) { grid<Kind::relax_twice_field>(pass); }
void function_multiply(const Pass& pass) { function<Kind::multiply>(pass); }
void function_multiply_dot(const Pass& pass) { function<Kind::multiply_dot>(pass); }
void function_residual(const Pass& pass) { function<Kind::residual>(pass); }
void function_multiply_two_float(const Pass& pass) { function<Kind::multiply_two_float>(pass); }
void function_residual_two_float(const Pass& pass) { function<Kind::residual_two_float>(pass); }
void function_relax(const Pass& pass) { function<Kind::relax>(pass); }
void function_relax_twice(const Pass& pass) { function<Kind::relax_twice>(pass); }
void function_chebyshev(const Pass& pass) { function<Kind::chebyshev>(pass); }
void function_chebyshev_norms(const Pass& pass) { function<Kind::chebyshev_norms>(pass); }
void function_multiply_dots(const Pass& pass) { function<Kind::multiply_dots>(pass); }
void function_field(const Pass& pass) { function<Kind::field>(pass); }
void function_chebyshev_chaotic(const Pass& pass) { function<Kind::chebyshev_chaotic>(pass); }
void function_diagonal(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const int first = ((at.y << pass.integer(0)) + at.x) * 4;
        pass.out(0)(at) =
            glm::mix(vec4(0.0f), vec4(1.0f), glm::lessThan(first + ivec4(0, 1, 2, 3), ivec4(pass.integer(1))));
    });
}

}  // namespace glsolve::inline v0_1::host
