// y + y_low <- y + y_low + a x, in two floats
// STEP: a is the length of a step of conjugate gradients, and a solve that has stopped takes none. OF_TEXEL: it is the first
// of several numbers of a texel.
void kernel(ivec2 at) {
#ifdef OF_TEXEL
    vec4 a = step_length(vec4(scalar_a.x));
#elif defined(STEP)
    vec4 a = step_length(scalar_a);
#else
    vec4 a = scalar_a;
#endif
    Two y = Two(in_y(at), in_y_low(at));
    Two next = plus(y, two_product(a, in_x(at)));
#ifdef STEP
    next = Two(commit(y.hi, next.hi), commit(y.lo, next.lo));
#endif
    out_y = next.hi;
    out_y_low = next.lo;
}
