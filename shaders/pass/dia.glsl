// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A stored by diagonals.
// Tile k of `a` is diagonal k: texel t of it holds the entries of rows 4t ... 4t + 3, zero where the diagonal leaves A.
// Row i needs x[i + offset(k)]: four rows need four consecutive numbers, which lie in one texel of x or in two.
//
// COUNT, OFFSETS and LOG2_WIDTH are constants for the usual few diagonals (the compiler unrolls the loop and drops the
// second fetch where an offset is a multiple of four); without them the count is an argument and the offsets are read from
// a texture.
#ifdef OFFSETS
const int offsets[COUNT] = int[COUNT](OFFSETS);
#define offset(k) offsets[k]
#else
#define COUNT arg_count
#define LOG2_WIDTH arg_log2_width
#define offset(k) in_offsets(ivec2(k, 0)).x
#endif

vec4 x_texel(int t) { return in_x_clamped(ivec2(t & ((1 << LOG2_WIDTH) - 1), t >> LOG2_WIDTH)); }

void kernel(ivec2 at) {
    int t = (at.y << LOG2_WIDTH) + at.x;
    vec4 product = vec4(0.0);
    for (int k = 0; k < COUNT; ++k) {
        int first = t + (offset(k) >> 2);
        vec4 x = x_texel(first);
        if ((offset(k) & 3) != 0) {
            vec4 next = x_texel(first + 1);
            x = (offset(k) & 3) == 1   ? vec4(x.yzw, next.x)
                : (offset(k) & 3) == 2 ? vec4(x.zw, next.xy)
                                       : vec4(x.w, next.xyz);
        }
        product += in_a(tile_corner(k) + at) * x;
    }
#ifdef RESIDUAL
    out_y = in_b(at) - product;
#else
    out_y = product;
#endif
#ifdef DOT
    out_sum = in_x(at) * product;
#endif
}
