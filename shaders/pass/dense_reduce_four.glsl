// Texel i of y <- the sums over all zones of row i, for four right-hand sides: the k-th component is that of c_k.
// DOT: and sum <- x * y, the terms of an inner product for each of them.
//
// pass dense_reduce_four: y <- the sums of the zones of c0 ... c3, side by side
//     DOT: the same, sum <- x * y
// out: y, sum if DOT
// in: c0 c1 c2 c3, x if DOT
// integer: log2_width log2_columns count tile_height length log2_field
void kernel(ivec2 at) {
    int i = (at.y << arg_log2_field) + at.x;
    ivec2 t = place(i >> 2, arg_log2_width);
    vec4 sum = vec4(0.0);
    if (i < arg_length) {
        for (int k = 0; k < arg_count; ++k) {
            ivec2 from = tile_corner(k) + t;
            sum += vec4(component(in_c0(from), i & 3), component(in_c1(from), i & 3), component(in_c2(from), i & 3),
                        component(in_c3(from), i & 3));
        }
    }
    out_y = sum;
#ifdef DOT
    out_sum = in_x(at) * sum;
#endif
}
