// y <- a x + b y; a vector whose factor is zero counts as zeros, whatever it holds.
vec4 term(vec4 a, vec4 v) { return mix(a * v, vec4(0.0), equal(a, vec4(0.0))); }

void kernel(ivec2 at) {
    vec4 y = in_y(at);
    out_y = commit(y, term(scalar_a, in_x(at)) + term(scalar_b, y));
}
