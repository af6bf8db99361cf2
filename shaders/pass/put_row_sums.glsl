// The row sums of a matrix, x, in front of its entries (shaders/rows.glsl): whole lines, zeros behind the last row.
//
// pass put_row_sums: lines of y <- x
// out: y
// in: x
// integer: left bottom columns rows log2_entries log2_width texels
// over: window
void kernel(ivec2 at) {
    int t = count_of(at, arg_log2_entries);
    out_y = mix(vec4(0.0), in_x(place(min(t, arg_texels - 1), arg_log2_width)), bvec4(t < arg_texels));
}
