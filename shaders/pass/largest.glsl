// y <- the largest numbers, component by component, of 64 texels of x; where there are fewer, of those.
//
// pass largest: y <- the largest of 64 texels each
// out: y
// in: x
// integer: log2_y log2_x texels
void kernel(ivec2 at) {
    int first = 64 * count_of(at, arg_log2_y);
    vec4 most = in_x(place(min(first, arg_texels - 1), arg_log2_x));
    for (int k = 1; k < 64; ++k) most = max(most, in_x(place(min(first + k, arg_texels - 1), arg_log2_x)));
    out_y = most;
}
