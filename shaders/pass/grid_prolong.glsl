// y <- y + T x: each cell of the fine grid takes what its cell of the coarse grid has, if it holds an unknown (d is not zero).
void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int line = t / arg_quarter;
    int quarter = t - line * arg_quarter;
    int row = (line / arg_rows / arg_along_z) * arg_rows_x + line % arg_rows / arg_along_y;
    vec4 x = in_x_clamped(place(row * arg_quarter_x + quarter / arg_along_x, arg_log2_x));
    if (arg_along_x == 2) x = (quarter & 1) == 0 ? x.xxyy : x.zzww;
    out_y = in_y(at) + mix(x, vec4(0.0), equal(in_d(at), vec4(0.0)));
}
