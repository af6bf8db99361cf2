// textureB <- x: every component of every texel of zone j holds x_j (Xia and Wei 2009, section 3.1).
//
// pass spread: zone j of y <- x_j, everywhere
// out: y
// in: x
// integer: log2_width log2_columns tile_height length
void kernel(ivec2 at) {
    int j = ((at.y / arg_tile_height) << arg_log2_columns) + (at.x >> arg_log2_width);
    int t = j >> 2;
    vec4 x = in_x_clamped(place(t, arg_log2_width));
    out_y = j < arg_length ? vec4(component(x, j & 3)) : vec4(0.0);
}
