// y <- copies of x, one behind the other: arg_copies of its first arg_count texels.
void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int copy = divided(t, arg_count);
    vec4 x = in_x_clamped(place(t - copy * arg_count, arg_log2_x));
    out_y = copy < arg_copies ? x : vec4(0.0);
}
