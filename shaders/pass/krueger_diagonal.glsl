// y <- y + d * (x, rotated by k): the k-th of n passes that make a product (J. Krueger and R. Westermann, ACM Trans. Graph. 22
// (2003): the matrix as n diagonals that wrap around, each a texture). d_i = a_ij, and y_i += d_i x_j, with j = (i + k) mod n.
// FOURS: n is a multiple of four; the four numbers then lie in two texels.
//
// pass krueger_diagonal: y <- y + d * (x, rotated by k)
// out: y
// in: y x d
// integer: k log2_width length
// faster: FOURS
vec4 x_texel(int t) { return in_x(place(t, arg_log2_width)); }
float x_element(int j) { return component(x_texel(j >> 2), j & 3); }

void kernel(ivec2 at) {
    int j = (4 * ((at.y << arg_log2_width) + at.x) + arg_k) % arg_length;
#ifdef FOURS
    int next = (j >> 2) + 1 == arg_length >> 2 ? 0 : (j >> 2) + 1;
    vec4 x = shifted(x_texel(j >> 2), x_texel(next), j & 3);
#else
    vec4 x = vec4(x_element(j), x_element((j + 1) % arg_length), x_element((j + 2) % arg_length),
                  x_element((j + 3) % arg_length));
#endif
    out_y = in_y(at) + in_d(at) * x;
}
