// Zone p of c0 ... c3 <- the share of some columns in A X, for four right-hand sides: texel j of X holds x_j of each of them in
// RGBA, zone p of c_k the rows of the k-th. A lies in vector zones (src/dense/zones.hpp); `dense_reduce_four` adds up.
//
// pass dense_four: c0 ... c3 <- A X in parts, for four right-hand sides
// out: c0 c1 c2 c3
// in: x a
// integer: log2_width log2_columns columns tile_height count log2_zones log2_strip log2_field
// is: in_parts
vec4 y0, y1, y2, y3;

void add_column(int j, ivec2 t) {
    vec4 a = in_a(zone_corner(j) + t);
    vec4 x = in_x(place(j, arg_log2_field));
    y0 += a * x.x;
    y1 += a * x.y;
    y2 += a * x.z;
    y3 += a * x.w;
}

void kernel(ivec2 at) {
    ivec2 t = in_strips(texel_of_part(at, arg_log2_width));
    int part = part_at(at, arg_log2_width, arg_log2_zones);
    int j = part * arg_columns;
    int end = min(j + arg_columns, arg_count);
    y0 = y1 = y2 = y3 = vec4(0.0);
    for (; j + 8 <= end; j += 8) {  // a constant number of columns, so that many fetches are under way at once
        for (int k = 0; k < 8; ++k) add_column(j + k, t);
    }
    for (; j < end; ++j) add_column(j, t);
    out_c0 = y0;
    out_c1 = y1;
    out_c2 = y2;
    out_c3 = y3;
}
