// y <- T^T (b - A x): a cell of the coarse grid takes the sum over its cells of the fine one, ALONG_X * ALONG_Y * ALONG_Z
// of them, of the residual with the operator of shaders/pass/grid.glsl; CONSTANT and SPACE as there. Four coarse cells
// go through the rows of cells that they are made of, two texels of each (one, where none are joined along x), and keep what lies
// above a row for the next one.
//
// pass grid_restrict_residual: y <- T^T (b - A x), x_next <- weight d * y
// out: y x_next
// in: x b a cx cy cz d
// integer: log2_width log2_x quarter rows quarter_x rows_x depth_x
// constant: weight
// compiled: ALONG_X ALONG_Y ALONG_Z CONSTANT:switch SPACE:flag

struct Pair {
    vec4 first, second;
};

// What stands outside the grid is zero: texels of a row from arg_quarter_x on, rows of a plane from arg_rows_x on.
bool inside(int quarter, ivec2 row) {
    return quarter >= 0 && quarter < arg_quarter_x && row.x >= 0 && row.x < arg_rows_x && row.y >= 0 && row.y < arg_depth_x;
}
ivec2 place_in(int quarter, ivec2 row) { return place((row.y * arg_rows_x + row.x) * arg_quarter_x + quarter, arg_log2_x); }

vec4 kept(vec4 v, int quarter, ivec2 row) { return mix(vec4(0.0), v, bvec4(inside(quarter, row))); }

vec4 x_texel(int quarter, ivec2 row) { return kept(in_x_clamped(place_in(quarter, row)), quarter, row); }
Pair x_pair(int quarter, ivec2 row) {
    return Pair(x_texel(quarter, row), ALONG_X == 2 ? x_texel(quarter + 1, row) : vec4(0.0));
}
#ifndef CONSTANT
vec4 cx_texel(int quarter, ivec2 row) { return kept(in_cx_clamped(place_in(quarter, row)), quarter, row); }
Pair cx_pair(int quarter, ivec2 row) {
    return Pair(cx_texel(quarter, row), ALONG_X == 2 ? cx_texel(quarter + 1, row) : vec4(0.0));
}
vec4 cy_texel(int quarter, ivec2 row) { return kept(in_cy_clamped(place_in(quarter, row)), quarter, row); }
Pair cy_pair(int quarter, ivec2 row) {
    return Pair(cy_texel(quarter, row), ALONG_X == 2 ? cy_texel(quarter + 1, row) : vec4(0.0));
}
vec4 cz_texel(int quarter, ivec2 row) { return kept(in_cz_clamped(place_in(quarter, row)), quarter, row); }
Pair cz_pair(int quarter, ivec2 row) {
    return Pair(cz_texel(quarter, row), ALONG_X == 2 ? cz_texel(quarter + 1, row) : vec4(0.0));
}
#endif

vec4 behind(vec4 v, float before) { return vec4(before, v.xyz); }
vec4 ahead(vec4 v, float next) { return vec4(v.yzw, next); }

// What a row's four cells lose to those on both sides along an axis.
#ifdef CONSTANT
vec4 lost(vec4 x, vec4 low, vec4 high, vec4 c_low, vec4 c_high) { return (x - low) + (x - high); }
#else
vec4 lost(vec4 x, vec4 low, vec4 high, vec4 c_low, vec4 c_high) { return c_low * (x - low) + c_high * (x - high); }
#endif

vec4 residual(int quarter, ivec2 row, vec4 x, vec4 outflow) {
    ivec2 at = place_in(quarter, row);
    vec4 a = in_a_clamped(at);
    vec4 r = in_b_clamped(at) - (a * x + outflow);
#ifdef CONSTANT
    r = mix(vec4(0.0), r, greaterThan(a, vec4(NO_UNKNOWN)));
#endif
    return kept(r, quarter, row);
}

void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int line = divided(t, arg_quarter);
    int plane = divided(line, arg_rows);
    int q = ALONG_X * (t - line * arg_quarter);
    ivec2 first = ivec2((line - plane * arg_rows) * ALONG_Y, plane * ALONG_Z);
    const vec4 none = vec4(0.0);
    const Pair nothing = Pair(none, none);
    vec4 sum = none;
    for (int k = 0; k < ALONG_Z; ++k) {
        ivec2 row = first + ivec2(0, k);
        Pair below = x_pair(q, row - ivec2(1, 0));
        Pair here = x_pair(q, row);
#ifdef CONSTANT
        Pair c_below = nothing;
#else
        Pair c_below = cy_pair(q, row - ivec2(1, 0));
#endif
        for (int j = 0; j < ALONG_Y; ++j) {
            Pair above = x_pair(q, row + ivec2(1, 0));
            float before = x_texel(q - 1, row).w;
            float next = x_texel(q + ALONG_X, row).x;
            float middle = ALONG_X == 2 ? here.second.x : next;
#ifdef CONSTANT
            Pair c_here = nothing;
            Pair c_along = nothing;
            float c_before = 0.0;
#else
            Pair c_here = cy_pair(q, row);
            Pair c_along = cx_pair(q, row);
            float c_before = cx_texel(q - 1, row).w;
#endif
            vec4 out_first = lost(here.first, behind(here.first, before), ahead(here.first, middle), behind(c_along.first, c_before),
                                  c_along.first)
                             + lost(here.first, below.first, above.first, c_below.first, c_here.first);
            vec4 out_second = lost(here.second, behind(here.second, here.first.w), ahead(here.second, next),
                                   behind(c_along.second, c_along.first.w), c_along.second)
                              + lost(here.second, below.second, above.second, c_below.second, c_here.second);
            if (SPACE) {
                Pair low = x_pair(q, row - ivec2(0, 1));
                Pair high = x_pair(q, row + ivec2(0, 1));
#ifdef CONSTANT
                Pair c_low = nothing;
                Pair c_high = nothing;
#else
                Pair c_low = cz_pair(q, row - ivec2(0, 1));
                Pair c_high = cz_pair(q, row);
#endif
                out_first += lost(here.first, low.first, high.first, c_low.first, c_high.first);
                out_second += lost(here.second, low.second, high.second, c_low.second, c_high.second);
            }
            vec4 r = residual(q, row, here.first, out_first);
            if (ALONG_X == 2) {
                vec4 s = residual(q + 1, row, here.second, out_second);
                r = vec4(r.xz, s.xz) + vec4(r.yw, s.yw);
            }
            sum += r;
            below = here;
            here = above;
            c_below = c_here;
            row.x += 1;
        }
    }
    out_y = sum;
    out_x_next = arg_weight * in_d(at) * sum;
}
