// The vectors of an iteration of pipelined conjugate gradients, in one pass:
//     y <- y + alpha p,  r <- r - alpha s,  p <- z + beta p  with z = M^-1 r                step = (alpha, beta, ...)
// JACOBI: z = d * r;  PRECONDITIONED: z <- z - alpha u with u = M^-1 s;  else z is r.
// TWO_FLOAT: r and s are in two floats; y, which is as well, has moved before, in a pass of its own.
// A step of no length takes nothing, whatever s and u hold; and nothing stays of p where beta is zero.
//
// pass pipelined_update: y += alpha p, r -= alpha s, p <- r + beta p
//     JACOBI: y += alpha p, r -= alpha s, p <- d * r + beta p
//     PRECONDITIONED: y += alpha p, r -= alpha s, z -= alpha u, p <- z + beta p
//     TWO_FLOAT: r + r_low -= alpha (s + s_low), p <- r + beta p
//     TWO_FLOAT JACOBI: r + r_low -= alpha (s + s_low), p <- d * r + beta p
//     TWO_FLOAT PRECONDITIONED: r + r_low -= alpha (s + s_low), z -= alpha u, p <- z + beta p
// out: y if not TWO_FLOAT, r, r_low if TWO_FLOAT, z if PRECONDITIONED, p
// in: y if not TWO_FLOAT, p r, r_low if TWO_FLOAT, s, s_low if TWO_FLOAT, z u if PRECONDITIONED, d if JACOBI
// scalar: step
// is: guarded, two_float if TWO_FLOAT, elementwise
vec4 moved(vec4 x, float a, vec4 direction) { return commit(x, a == 0.0 ? x : x + a * direction); }

void kernel(ivec2 at) {
    float alpha = scalar_step.x, beta = scalar_step.y;
    vec4 p = in_p(at);
#ifdef TWO_FLOAT
    vec4 r = in_r(at), r_low = in_r_low(at);
    Double next = with_low(r, r_low);
    if (alpha != 0.0) next = minus(next, times(without_low(vec4(alpha)), with_low(in_s(at), in_s_low(at))));
    out_r_low = commit(r_low, low(next));
    vec4 z = commit(r, high(next));
#else
    out_y = moved(in_y(at), alpha, p);
    vec4 z = moved(in_r(at), -alpha, in_s(at));
#endif
    out_r = z;
#if defined(JACOBI)
    z = in_d(at) * z;
#elif defined(PRECONDITIONED)
    z = moved(in_z(at), -alpha, in_u(at));
    out_z = z;
#endif
    out_p = commit(p, beta == 0.0 ? z : z + beta * p);
}
