// y + y_low <- y + y_low + a x, in two floats
// STEP: a is the length of a step of conjugate gradients, and a solve that has stopped takes none. OF_TEXEL: it is the first
// of several numbers of a texel.
//
// out: y y_low
// in: y y_low x
// scalar: a
// pass cg_step_two_float (STEP): y + y_low += a x, a > 0
// is: guarded two_float elementwise
// pass pipelined_step_two_float (STEP OF_TEXEL): y + y_low += alpha x, with alpha from the texel (alpha, ...)
// is: guarded two_float elementwise
// pass two_float_axpy: y + y_low <- y + y_low + a x, in two floats
// is: two_float elementwise
void kernel(ivec2 at) {
#ifdef OF_TEXEL
    vec4 a = step_length(vec4(scalar_a.x));
#elif defined(STEP)
    vec4 a = step_length(scalar_a);
#else
    vec4 a = scalar_a;
#endif
    vec4 y = in_y(at), y_low = in_y_low(at);
    Double next = plus(with_low(y, y_low), exact_product(a, in_x(at)));
#ifdef STEP
    out_y = commit(y, high(next));
    out_y_low = commit(y_low, low(next));
#else
    out_y = high(next);
    out_y_low = low(next);
#endif
}
