// What every kernel can rely on.

// A quotient with a zero denominator is 0: a solve that has met its end divides nothing by nothing.
vec4 quotient(vec4 n, vec4 d) { return mix(n / d, vec4(0.0), equal(d, vec4(0.0))); }

// Infinite or not a number in any component, from the bits: isnan() is not dependable on every driver.
bvec4 bad(vec4 v) { return equal(floatBitsToUint(v) & uvec4(0x7f800000u), uvec4(0x7f800000u)); }
bool is_bad(vec4 v) { return any(bad(v)); }

bool is_nan(float v) { return (floatBitsToUint(v) & 0x7fffffffu) > 0x7f800000u; }

// alpha = (r,z) / (p,Ap), or 0 where (p,Ap) <= 0 or a number is none: nothing may change then; cg_control sees it and stops.
// Component by component: of four right-hand sides one that has come to this does not hold up the others.
vec4 step_length(vec4 alpha) {
    vec4 a = mix(vec4(0.0), alpha, greaterThan(alpha, vec4(0.0)));
    return mix(a, vec4(0.0), bad(a));
}

// The same, or zeros where a number is none.
vec4 finite_or_zero(vec4 v) { return is_bad(v) ? vec4(0.0) : v; }

// By mix() and not by ?:, of which some compilers (NVIDIA's) make branches: what is fetched behind one waits for what it
// looks at: loops over fetches took up to twice as long.
float component(vec4 v, int i) {
    vec2 two = mix(v.xy, v.zw, bvec2((i & 2) != 0));
    return mix(two.x, two.y, (i & 1) != 0);
}

int component(ivec4 v, int i) {
    ivec2 two = (i & 2) != 0 ? v.zw : v.xy;
    return (i & 1) != 0 ? two.y : two.x;
}

// Columns of 16 bits, two in each number: the lower ones, or the upper ones if k is odd; counted from column `first` on.
ivec4 short_columns(ivec4 both, int k, int first) { return ((both << (16 - 16 * (k & 1))) >> 16) + first; }

// Four consecutive numbers of two neighbouring texels, from component `shift` of the first on. Without a branch: where
// `shift` is a constant the compiler drops what is not needed, elsewhere a fetch in vain costs less.
vec4 shifted(vec4 x, vec4 next, int shift) {
    vec4 even = mix(vec4(x.zw, next.xy), x, bvec4(shift == 0));
    vec4 odd = mix(vec4(x.w, next.xyz), vec4(x.yzw, next.x), bvec4(shift == 1));
    return mix(even, odd, bvec4((shift & 1) != 0));
}

// What stands `texels` in front of texel t of a vector: nothing, in front of the first one.
vec4 or_none(vec4 v, int t, int texels) { return mix(v, vec4(0.0), bvec4(t < texels)); }

// t / n for t >= 0, n > 0. Processors have no division of integers for several of them at once, and graphics cards make one of what
// stands here. Twice, since a float holds 24 bits of a quotient; after the second time it is off by no more than one.
int divided(int t, int n) {
    float divisor = float(n);
    int q = int(float(t) / divisor);
    q += int(floor(float(t - q * n) / divisor));
    int rest = t - q * n;
    return q + (rest >= n ? 1 : rest < 0 ? -1 : 0);
}

// Texel t of a texture 2^log2_width texels wide, counted along its rows.
ivec2 place(int t, int log2_width) { return ivec2(t & ((1 << log2_width) - 1), t >> log2_width); }

// Texel `at` of such a texture, counted; and number t of a vector, whose texels `read` fetches: of a MultiVector, a texel for each
// unknown, the one that belongs to it.
int count_of(ivec2 at, int log2_width) { return (at.y << log2_width) + at.x; }
#define NUMBER(read, t, log2_width) component(read(place((t) >> 2, log2_width)), (t) & 3)
