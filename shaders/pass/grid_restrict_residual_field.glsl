// y <- T^T (b - A x) and x <- weight d * y for four right-hand sides: a texel of x, b and y is a cell in all of them, and of
// what the grids' own textures hold for four cells it takes its lane. A cell of the coarse grid takes the sum over its ALONG_X *
// ALONG_Y * ALONG_Z cells of the fine one; the operator, CONSTANT and SPACE are those of shaders/pass/grid.glsl.
//
// pass grid_restrict_residual_field: y <- T^T (b - A x), x_next <- weight d * y for four right-hand sides
// out: y x_next
// in: x b a cx cy cz d
// integer: log2_field log2_width log2_field_x log2_x quarter rows quarter_x rows_x depth_x
// constant: weight
// compiled: ALONG_X ALONG_Y ALONG_Z CONSTANT:switch SPACE:flag

// What stands outside the grid's rows and planes is zero.
bool inside(ivec3 cell) {
    return all(greaterThanEqual(cell, ivec3(0))) && all(lessThan(cell, ivec3(4 * arg_quarter_x, arg_rows_x, arg_depth_x)));
}
int number_of(ivec3 cell) { return (cell.z * arg_rows_x + cell.y) * 4 * arg_quarter_x + cell.x; }
ivec2 place_of_four(ivec3 cell) { return place(number_of(cell) >> 2, arg_log2_x); }
float lane_of(vec4 four, ivec3 cell) { return component(four, cell.x & 3); }  // rows are whole texels

vec4 x_of(ivec3 cell) {
    return mix(vec4(0.0), in_x_clamped(place(number_of(cell), arg_log2_field_x)), bvec4(inside(cell)));
}

#ifdef CONSTANT
#define cx_of(cell) 1.0
#define cy_of(cell) 1.0
#define cz_of(cell) 1.0
#else
float cx_of(ivec3 cell) { return mix(0.0, lane_of(in_cx_clamped(place_of_four(cell)), cell), inside(cell)); }
float cy_of(ivec3 cell) { return mix(0.0, lane_of(in_cy_clamped(place_of_four(cell)), cell), inside(cell)); }
float cz_of(ivec3 cell) { return mix(0.0, lane_of(in_cz_clamped(place_of_four(cell)), cell), inside(cell)); }
#endif

vec4 residual(ivec3 cell) {
    const ivec3 x = ivec3(1, 0, 0);
    const ivec3 y = ivec3(0, 1, 0);
    const ivec3 z = ivec3(0, 0, 1);
    vec4 here = x_of(cell);
    vec4 lost = cx_of(cell - x) * (here - x_of(cell - x)) + cx_of(cell) * (here - x_of(cell + x));
    lost += cy_of(cell - y) * (here - x_of(cell - y)) + cy_of(cell) * (here - x_of(cell + y));
    if (SPACE) lost += cz_of(cell - z) * (here - x_of(cell - z)) + cz_of(cell) * (here - x_of(cell + z));
    float a = lane_of(in_a_clamped(place_of_four(cell)), cell);
    bool counts = inside(cell);
#ifdef CONSTANT
    counts = counts && a > NO_UNKNOWN;
#endif
    vec4 r = in_b_clamped(place(number_of(cell), arg_log2_field_x)) - (a * here + lost);
    return mix(vec4(0.0), r, bvec4(counts));
}

void kernel(ivec2 at) {
    int cell = (at.y << arg_log2_field) + at.x;
    int pitch = 4 * arg_quarter;
    int line = divided(cell, pitch);
    int plane = divided(line, arg_rows);
    ivec3 first = ivec3(cell - line * pitch, line - plane * arg_rows, plane) * ivec3(ALONG_X, ALONG_Y, ALONG_Z);
    vec4 sum = vec4(0.0);
    for (int k = 0; k < ALONG_Z; ++k) {
        for (int j = 0; j < ALONG_Y; ++j) {
            for (int i = 0; i < ALONG_X; ++i) sum += residual(first + ivec3(i, j, k));
        }
    }
    out_y = sum;
    out_x_next = arg_weight * component(in_d_clamped(place(cell >> 2, arg_log2_width)), cell & 3) * sum;
}
