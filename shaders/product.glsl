// What the products with matrices share, whatever the format: how x is read, and what a product ends in.
#ifndef LOG2_WIDTH
#define LOG2_WIDTH arg_log2_width
#endif

// Texel t of x, counted along the rows of the texture. Outside it: some texel inside, or zeros where the diagonals are
// constants of the shader, which have no zeros of their own there.
vec4 x_texel(int t) {
    vec4 x = in_x_clamped(ivec2(t & ((1 << LOG2_WIDTH) - 1), t >> LOG2_WIDTH));
#ifdef OFFSETS
    x = uint(t) < uint(u_domain.y << LOG2_WIDTH) ? x : vec4(0.0);
#endif
    return x;
}

float x_element(int column) {
    vec4 x = x_texel(column >> 2);
    int component = column & 3;
    return component < 2 ? (component == 0 ? x.x : x.y) : (component == 2 ? x.z : x.w);
}

vec4 x_elements(ivec4 c) { return vec4(x_element(c.x), x_element(c.y), x_element(c.z), x_element(c.w)); }

// Four consecutive numbers of x, the first of them `offset` behind the beginning of texel t: they lie in one texel or in
// two. Without a branch: where `offset` is a constant the compiler drops what is not needed, elsewhere a fetch in vain
// costs less.
vec4 x_run(int t, int offset) {
    vec4 x = x_texel(t + (offset >> 2));
    vec4 next = x_texel(t + ((offset + 3) >> 2));
    int shift = offset & 3;
    vec4 odd = shift == 1 ? vec4(x.yzw, next.x) : vec4(x.w, next.xyz);
    return (shift & 1) == 1 ? odd : shift == 0 ? x : vec4(x.zw, next.xy);
}

// y <- A x (DOT: and the terms of (x, y)), or b - A x.
void store_product(ivec2 at, vec4 x, vec4 product) {
#ifdef RESIDUAL
    out_y = in_b(at) - product;
#else
    out_y = product;
#endif
#ifdef DOT
    out_sum = x * product;
#endif
}
