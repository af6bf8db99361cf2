// y <- X b, the columns of X one behind the other: arg_columns of them, a multiple of four, each arg_count texels.
//
// pass grid_columns: y <- X b, the columns of X one behind the other
// out: y
// in: x b
// integer: log2_width log2_x log2_b count columns
// shares: texel
vec4 column(int j, int t) { return in_x_clamped(place(j * arg_count + t, arg_log2_x)); }

void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    vec4 sum = vec4(0.0);
    for (int j = 0; j < arg_columns; j += 4) {
        vec4 b = in_b_clamped(place(j >> 2, arg_log2_b));
        sum += b.x * column(j, t) + b.y * column(j + 1, t) + b.z * column(j + 2, t) + b.w * column(j + 3, t);
    }
    out_y = t < arg_count ? sum : vec4(0.0);
}
