// y <- y + T x for four right-hand sides: a texel of y and x is a cell in all of them. Each of the arg_length cells of the fine
// grid takes what its cell of the coarse grid has, if it holds an unknown (d, whose texels are four cells, is not zero).
//
// pass grid_prolong_field: y <- y + T x for four right-hand sides
// out: y
// in: y x d
// integer: log2_field log2_width log2_field_x quarter rows quarter_x rows_x joined length
void kernel(ivec2 at) {
    int cell = (at.y << arg_log2_field) + at.x;
    int pitch = 4 * arg_quarter;
    int line = divided(cell, pitch);
    int plane = divided(line, arg_rows);
    // Of axes with joined cells two are: half the coordinate.
    ivec3 coarse = ivec3(cell - line * pitch, line - plane * arg_rows, plane) >> ((ivec3(arg_joined) >> ivec3(0, 1, 2)) & 1);
    vec4 x = in_x_clamped(place((coarse.z * arg_rows_x + coarse.y) * 4 * arg_quarter_x + coarse.x, arg_log2_field_x));
    float d = component(in_d_clamped(place(cell >> 2, arg_log2_width)), cell & 3);
    out_y = in_y(at) + mix(vec4(0.0), x, bvec4(cell < arg_length && d != 0.0));
}
