// The reference of the passes over dense matrices in vector zones. See shaders/pass/{dense_*,sumVector*,spread}.glsl.
#include "host/product_kind.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// A grid of vector zones: of the matrix, of its parts, or of one vector.
struct Zones {
    int log2_width = 0, log2_columns = 0, height = 1;
    int log2_strip = log2_width;  // a zone is cut into strips so wide (shaders/zones.glsl)

    /// Texel t of a zone.
    ivec2 texel_of(int zone, ivec2 t) const {
        const int column = zone & ((1 << log2_columns) - 1), strip = t.x >> log2_strip;
        return {(((strip << log2_columns) + column) << log2_strip) + (t.x & ((1 << log2_strip) - 1)),
                (zone >> log2_columns) * height + t.y};
    }
    /// Which zone a texel of the grid is in, and where in that zone.
    int zone(ivec2 at) const {
        return ((at.y / height) << log2_columns) + ((at.x >> log2_strip) & ((1 << log2_columns) - 1));
    }
    ivec2 inside(ivec2 at) const {
        return {((at.x >> (log2_columns + log2_strip)) << log2_strip) + (at.x & ((1 << log2_strip) - 1)),
                at.y % height};
    }
    ivec2 texel(int t) const { return {t & ((1 << log2_width) - 1), t >> log2_width}; }
    int number(ivec2 t) const { return (t.y << log2_width) + t.x; }
};

/// An element of a vector; zero behind its texture.
float element(const In& in, const Zones& zones, int j) {
    const ivec2 at = zones.texel(j >> 2);
    return at.y < in.height() ? in(at)[j & 3] : 0.0f;
}

// In the order of the pass table: x, x_low, a, a_low.
template <bool two_float, bool residual>
void partial(const Pass& pass) {
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(3), pass.integer(6)};
    const Zones c{pass.integer(0), pass.integer(5), A.height};
    const int columns = pass.integer(2), count = pass.integer(4);
    constexpr int low = two_float ? 1 : 0, a = residual ? 2 : 1;
    const bool a_low = two_float && pass.inputs[a + low] != pass.inputs[a];
    pass.each([&](ivec2 at) {
        const int first = c.zone(at) * columns;
        dvec4 sum(0.0), size(0.0);
        vec4 single(0.0f);
        for (int j = first; j < std::min(first + columns, count); ++j) {
            const ivec2 from = A.texel_of(j, c.inside(at));
            if constexpr (two_float) {
                double x = static_cast<double>(element(pass.in(0), A, j));
                if (residual) x += static_cast<double>(element(pass.in(1), A, j));
                const dvec4 entry = dvec4(pass.in(a)(from)) + (a_low ? dvec4(pass.in(a + 1)(from)) : dvec4(0.0));
                sum += entry * x;
                size += glm::abs(entry * x);
            } else {
                single += pass.in(a)(from)*element(pass.in(0), A, j);
            }
        }
        if constexpr (two_float) {
            split(sum, pass.out(0)(at), pass.out(1)(at));
            if constexpr (residual) pass.out(2)(at) = vec4(size);
        } else {
            pass.out(0)(at) = single;
        }
    });
}

// In the order of the pass table: x, x_low, c, c_low, size, b, b_low.
template <Kind kind>
void sum_zones(const Pass& pass) {
    constexpr bool residual = is_residual(kind), two_float = in_two_floats(kind);
    constexpr int c = kind == Kind::residual_two_float ? 2 : 1, size = c + (two_float ? 2 : 1), b = size + 1;
    const Zones zones{pass.integer(0), pass.integer(1), pass.integer(3)};
    const bool c_low = two_float && pass.inputs[c + 1] != pass.inputs[c];
    pass.each([&](ivec2 at) {
        dvec4 sum(0.0), sizes(0.0);
        vec4 single(0.0f);
        for (int k = 0; k < pass.integer(2); ++k) {
            const ivec2 from = zones.texel_of(k, at);
            single += pass.in(c)(from);
            sum += dvec4(pass.in(c)(from));
            if (c_low) sum += dvec4(pass.in(c + 1)(from));
            if constexpr (kind == Kind::residual_two_float) sizes += dvec4(pass.in(size)(from));
        }
        if constexpr (two_float) {
            if constexpr (residual) {
                const dvec4 right = dvec4(pass.in(b)(at)) + dvec4(pass.in(b + 1)(at));
                sum = right - sum;
                sizes += glm::abs(right);
            }
            split(sum, pass.out(0)(at), pass.out(1)(at));
            const vec4 y = pass.out(0)(at), bound = vec4(sizes);
            pass.out(2)(at) = residual ? vec4(glm::dot(y, y), glm::dot(bound, bound), 0.0f, 0.0f) : pass.in(0)(at)*y;
        } else if constexpr (is_step(kind)) {
            store_step<kind>(pass, at, pass.in(0)(at), single);
        } else if constexpr (kind == Kind::multiply_dots) {
            store_dots(pass, at, pass.in(0)(at), single);
        } else {
            const vec4 y = residual ? pass.in(b)(at)-single : single;
            pass.out(0)(at) = y;
            if constexpr (kind == Kind::multiply_dot) pass.out(1)(at) = pass.in(0)(at)*y;
        }
    });
}

}  // namespace

void sumVector(const Pass& pass) { sum_zones<Kind::multiply>(pass); }
void sumVector_dot(const Pass& pass) { sum_zones<Kind::multiply_dot>(pass); }
void sumVector_residual(const Pass& pass) { sum_zones<Kind::residual>(pass); }
void sumVector_two_float(const Pass& pass) { sum_zones<Kind::multiply_two_float>(pass); }
void sumVector_residual_two_float(const Pass& pass) { sum_zones<Kind::residual_two_float>(pass); }
void sumVector_relax(const Pass& pass) { sum_zones<Kind::relax>(pass); }
void sumVector_chebyshev(const Pass& pass) { sum_zones<Kind::chebyshev>(pass); }
void sumVector_chebyshev_norms(const Pass& pass) { sum_zones<Kind::chebyshev_norms>(pass); }
void sumVector_multiply_dots(const Pass& pass) { sum_zones<Kind::multiply_dots>(pass); }
void dense_partial(const Pass& pass) { partial<false, false>(pass); }
void dense_partial_two_float(const Pass& pass) { partial<true, false>(pass); }
void dense_partial_residual_two_float(const Pass& pass) { partial<true, true>(pass); }

namespace {

// texel i of y <- the sums of row i over all zones of c0 ... c3; `dot`: sum <- x * y
template <bool dot>
void sum_four(const Pass& pass) {
    const Zones zones{pass.integer(0), pass.integer(1), pass.integer(3)};
    const int length = pass.integer(4), log2_field = pass.integer(5);
    pass.each([&](ivec2 at) {
        const int i = (at.y << log2_field) + at.x;
        vec4 sum(0.0f);
        for (int k = 0; i < length && k < pass.integer(2); ++k) {
            const ivec2 from = zones.texel_of(k, zones.texel(i >> 2));
            for (int side = 0; side < 4; ++side) sum[side] += pass.in(side)(from)[i & 3];
        }
        pass.out(0)(at) = sum;
        if constexpr (dot) pass.out(1)(at) = pass.in(4)(at)*sum;
    });
}

}  // namespace

void sumVector_four(const Pass& pass) { sum_four<false>(pass); }
void sumVector_four_dot(const Pass& pass) { sum_four<true>(pass); }

// y <- the sum of all texels of x, one after the other
void sumTexel(const Pass& pass) {
    const In in_x = pass.in(0);
    vec4 sum(0.0f);
    for (int j = 0; j < pass.integer(1); ++j) {
        for (int i = 0; i < pass.integer(0); ++i) sum += in_x({i, j});
    }
    pass.out(0)({0, 0}) = sum;
}

// zone j of y <- x_j, everywhere
void spread(const Pass& pass) {
    const In in_x = pass.in(0);
    const Zones zones{pass.integer(0), pass.integer(1), pass.integer(2)};
    pass.each([&](ivec2 at) {
        const int j = zones.zone(at);
        pass.out(0)(at) = vec4(j < pass.integer(3) ? element(in_x, zones, j) : 0.0f);
    });
}

// y <- y + d * (x, rotated by k)
void krueger_diagonal(const Pass& pass) {
    const In in_y = pass.in(0), in_x = pass.in(1), in_d = pass.in(2);
    const Zones vector{pass.integer(1), 0, 1};
    const int k = pass.integer(0), n = pass.integer(2);
    pass.each([&](ivec2 at) {
        vec4 x;
        for (int i = 0; i < 4; ++i) x[i] = element(in_x, vector, (4 * vector.number(at) + i + k) % n);
        pass.out(0)(at) = in_y(at) + in_d(at) * x;
    });
}

// c <- A^T x in parts
void dense_transposed(const Pass& pass) {
    const In in_x = pass.in(0), in_a = pass.in(1);
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(3), pass.integer(6)};
    const Zones c{pass.integer(0), pass.integer(5), A.height};
    const int texels = pass.integer(2), count = pass.integer(4);
    pass.each([&](ivec2 at) {
        const int column = 4 * c.number(c.inside(at)), first = c.zone(at) * texels;
        vec4 sum(0.0f);
        for (int k = first; column < count && k < std::min(first + texels, count / 4); ++k) {
            const ivec2 from = A.texel(k);
            for (int i = 0; i < 4; ++i) sum[i] += glm::dot(in_a(A.texel_of(column + i, from)), in_x(from));
        }
        pass.out(0)(at) = sum;
    });
}

// c0 ... c3 <- A X in parts, for four right-hand sides
void dense_four(const Pass& pass) {
    const In in_x = pass.in(0), in_a = pass.in(1);
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(3), pass.integer(6)};
    const Zones c{pass.integer(0), pass.integer(5), A.height};
    const int columns = pass.integer(2), log2_field = pass.integer(7);
    pass.each([&](ivec2 at) {
        const int first = c.zone(at) * columns;
        std::array<vec4, 4> sums{};
        for (int j = first; j < std::min(first + columns, pass.integer(4)); ++j) {
            const vec4 x = in_x({j & ((1 << log2_field) - 1), j >> log2_field});
            for (int side = 0; side < 4; ++side) {
                sums[static_cast<std::size_t>(side)] += in_a(A.texel_of(j, c.inside(at))) * x[side];
            }
        }
        for (int side = 0; side < 4; ++side) pass.out(side)(at) = sums[static_cast<std::size_t>(side)];
    });
}

// a <- a + alpha x y^T
void dense_rank_one(const Pass& pass) {
    const In in_a = pass.in(0), in_x = pass.in(1), in_y = pass.in(2);
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(2), pass.integer(4)};
    pass.each([&](ivec2 at) {
        const int j = A.zone(at);
        const float y = j < pass.integer(3) ? element(in_y, A, j) : 0.0f;
        pass.out(0)(at) = in_a(at) + pass.scalar(0) * in_x(A.inside(at)) * y;
    });
}

// panel <- columns first, first + 1, ... of a, one zone below the other
void jordan_extract(const Pass& pass) {
    const In in_a = pass.in(0);
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(2), pass.integer(4)};
    pass.each([&](ivec2 at) {
        const int j = pass.integer(5) + at.y / A.height;
        pass.out(0)(at) = j < pass.integer(3) ? in_a(A.texel_of(j, {at.x, at.y % A.height})) : vec4(0.0f);
    });
}

namespace {

/// A pivot: (|value|, 4 x + component, y, 1).
struct PivotPlace {
    explicit PivotPlace(vec4 pivot)
        : row(static_cast<int>(pivot.y) >> 2, static_cast<int>(pivot.z)),
          lane(static_cast<int>(pivot.y) & 3),
          found(pivot.w != 0) {}
    ivec2 row;
    int lane;
    bool found;
};

}  // namespace

// used <- the step, in the pivot's row
void jordan_mark(const Pass& pass) {
    const PivotPlace pivot(pass.in(1)({0, 0}));
    pass.each([&](ivec2 at) {
        vec4 used = pass.in(0)(at);
        if (pivot.found && at == pivot.row) used[pivot.lane] = static_cast<float>(pass.integer(0));
        pass.out(0)(at) = used;
    });
}

// a step of Gauss and Jordan on the columns of a panel
void jordan_step(const Pass& pass) {
    const In in_panel = pass.in(0);
    const PivotPlace pivot(pass.in(1)({0, 0}));
    const int height = pass.integer(0), column = pass.integer(1);
    const ivec2 at_hand(0, column * height);
    const float f_p = in_panel(at_hand + pivot.row)[pivot.lane], d = f_p != 0 ? 1 / f_p : 0;
    pass.each([&](ivec2 at) {
        const int zone = at.y / height;
        const ivec2 t(at.x, at.y % height);
        const vec4 f = in_panel(at_hand + t);
        const float scaled = d * in_panel(ivec2(0, zone * height) + pivot.row)[pivot.lane];
        vec4 a = zone == column ? -d * f : in_panel(at) - f * scaled;
        if (t == pivot.row) a[pivot.lane] = zone == column ? d : scaled;
        pass.out(0)(at) = a;
    });
}

// rows <- the rows of the panel's pivots
void jordan_gather(const Pass& pass) {
    const In in_a = pass.in(0), in_pivots = pass.in(1);
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(2), pass.integer(4)},
        field{pass.integer(7), 0, pass.integer(8)};
    const int n = pass.integer(3), first = pass.integer(5), count = pass.integer(6);
    pass.each([&](ivec2 at) {
        const int group = at.y / field.height, j = field.number({at.x, at.y % field.height});
        vec4 four(0.0f);
        for (int i = 0; i < 4 && j < n; ++i) {
            const int step = 4 * group + i;
            if (step >= count) continue;
            const PivotPlace pivot(in_pivots(field.texel(first + step)));
            four[i] = in_a(A.texel_of(j, pivot.row))[pivot.lane];
        }
        pass.out(0)(at) = four;
    });
}

// a <- a (0 in the rows of the panel's pivots) + panel rows
void jordan_update(const Pass& pass) {
    const In in_a = pass.in(0), in_used = pass.in(1), in_panel = pass.in(2), in_rows = pass.in(3);
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(2), pass.integer(4)},
        field{pass.integer(7), 0, pass.integer(8)};
    const int n = pass.integer(3), first = pass.integer(5), count = pass.integer(6);
    pass.each([&](ivec2 at) {
        const ivec2 t = A.inside(at);
        const int j = A.zone(at);
        vec4 a(0.0f);
        if (j >= first && j < first + count) {
            a = in_panel(t + ivec2(0, (j - first) * A.height));
        } else if (j < n) {
            const vec4 used = in_used(t);
            a = in_a(at);
            for (int i = 0; i < 4; ++i) {
                if (used[i] > static_cast<float>(first) && used[i] <= static_cast<float>(first + count)) a[i] = 0;
            }
            for (int step = 0; step < count; ++step) {
                const vec4 rows = in_rows(field.texel(j) + ivec2(0, step / 4 * field.height));
                a += in_panel(t + ivec2(0, step * A.height)) * rows[step & 3];
            }
        }
        pass.out(0)(at) = a;
    });
}

// a <- the inverse in its own order
void jordan_permute(const Pass& pass) {
    const In in_a = pass.in(0), in_used = pass.in(1), in_pivots = pass.in(2);
    const Zones A{pass.integer(0), pass.integer(1), pass.integer(2), pass.integer(4)}, field{pass.integer(5), 0, 1};
    const int n = pass.integer(3);
    pass.each([&](ivec2 at) {
        const int j = A.zone(at), i = 4 * A.number(A.inside(at));
        vec4 four(0.0f);
        if (j < n) {
            const int column = std::max(static_cast<int>(element(in_used, A, j)) - 1, 0);
            for (int lane = 0; lane < 4 && i + lane < n; ++lane) {
                const PivotPlace pivot(in_pivots(field.texel(i + lane)));
                four[lane] = in_a(A.texel_of(column, pivot.row))[pivot.lane];
            }
        }
        pass.out(0)(at) = four;
    });
}

}  // namespace glsolve::inline v0_1::host
