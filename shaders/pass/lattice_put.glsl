// Lines of a tile of y <- the vector x: number k of the lines is number k - shift of x, or zero in front of x.
//
// pass lattice_put: a rectangle of y <- x, shifted
// out: y
// in: x
// integer: left bottom columns rows log2_x shift
// over: window
vec4 texel_of_x(int t) { return or_none(in_x_clamped(place(max(t, 0), arg_log2_x)), t, 0); }

void kernel(ivec2 at) {
    int t = count_of(at - ivec2(arg_left, arg_bottom), arg_log2_x);
    int first = 4 * t - arg_shift;
    int texel = first >> 2;  // rounded down
    out_y = shifted(texel_of_x(texel), texel_of_x(texel + 1), first & 3);
}
