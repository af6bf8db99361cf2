// y <- X b for four right-hand sides: a texel of y and b is a cell in all of them. The columns of X lie one behind the other:
// arg_columns of them, each arg_count texels, whose lanes are cells.
//
// pass grid_columns_field: y <- X b for four right-hand sides
// out: y
// in: x b
// integer: log2_field log2_x count columns
void kernel(ivec2 at) {
    int cell = (at.y << arg_log2_field) + at.x;
    vec4 sum = vec4(0.0);
    for (int j = 0; j < arg_columns; ++j) {
        vec4 four = in_x_clamped(place(j * arg_count + (cell >> 2), arg_log2_x));
        sum += component(four, cell & 3) * in_b_clamped(place(j, arg_log2_field));
    }
    out_y = mix(vec4(0.0), sum, bvec4(cell < 4 * arg_count));
}
