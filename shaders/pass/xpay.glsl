// y <- x + a y.  FIELD: for four right-hand sides; where a = 0 that is x, whatever y held.
void kernel(ivec2 at) {
    vec4 y = in_y(at);
    vec4 x = in_x(at);
    vec4 next = x + scalar_a * y;
#ifdef FIELD
    next = mix(next, x, equal(scalar_a, vec4(0.0)));
#endif
    out_y = commit(y, next);
}
