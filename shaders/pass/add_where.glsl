// y <- x + a where m is not zero, and 0 elsewhere: what is no unknown stays out of sums.
//
// pass add_where: y <- x + a where m is not zero, else 0
// out: y
// in: x m
// scalar: a
// is: elementwise
void kernel(ivec2 at) { out_y = mix(in_x(at) + scalar_a, vec4(0.0), equal(in_m(at), vec4(0.0))); }
