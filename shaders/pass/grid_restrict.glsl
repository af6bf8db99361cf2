// y <- T^T x: a cell of the coarse grid takes the sum over its cells of the fine one, arg_along_x * arg_along_y * arg_along_z of
// them. Copies of the coarse grid may lie one behind the other, arg_planes planes in all, arg_depth of each.
//
// pass grid_restrict: y <- T^T x
// out: y
// in: x
// integer: log2_width log2_x quarter rows quarter_x rows_x depth_x along_x along_y along_z depth planes
vec4 x_row(int quarter, int row) {
    vec4 x = in_x_clamped(place(row * arg_quarter_x + quarter, arg_log2_x));
    return quarter < arg_quarter_x ? x : vec4(0.0);
}

// Of a fine row: the shares of four coarse cells.
vec4 shares(int quarter, int row) {
    if (arg_along_x == 1) return x_row(quarter, row);
    vec4 x = x_row(2 * quarter, row);
    vec4 next = x_row(2 * quarter + 1, row);
    return vec4(x.xz, next.xz) + vec4(x.yw, next.yw);
}

void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int line = divided(t, arg_quarter);
    int plane = divided(line, arg_rows);
    int z = (plane - divided(plane, arg_depth) * arg_depth) * arg_along_z;
    int y = (line - plane * arg_rows) * arg_along_y;
    vec4 sum = vec4(0.0);
    for (int k = 0; k < arg_along_z; ++k) {
        for (int j = 0; j < arg_along_y; ++j) {
            vec4 share = shares(t - line * arg_quarter, (z + k) * arg_rows_x + y + j);
            if (y + j < arg_rows_x && z + k < arg_depth_x) sum += share;
        }
    }
    out_y = plane < arg_planes ? sum : vec4(0.0);
}
