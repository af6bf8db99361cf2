// y <- y + T x: each cell of the fine grid takes what its cell of the coarse grid has, if it holds an unknown (d is not zero).
//
// pass grid_prolong: y <- y + T x
// out: y
// in: y x d
// integer: log2_width log2_x quarter rows quarter_x rows_x along_x along_y along_z
// shares: grid
void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int line = divided(t, arg_quarter);
    int quarter = t - line * arg_quarter;
    int plane = divided(line, arg_rows);
    int row = line - plane * arg_rows;
    // Of axes with joined cells two are: half the coordinate.
    ivec3 coarse = ivec3(quarter, row, plane) >> ivec3(arg_along_x - 1, arg_along_y - 1, arg_along_z - 1);
    vec4 x = in_x_clamped(place((coarse.z * arg_rows_x + coarse.y) * arg_quarter_x + coarse.x, arg_log2_x));
    if (arg_along_x == 2) x = mix(x.zzww, x.xxyy, bvec4((quarter & 1) == 0));
    out_y = in_y(at) + mix(x, vec4(0.0), equal(in_d(at), vec4(0.0)));
}
