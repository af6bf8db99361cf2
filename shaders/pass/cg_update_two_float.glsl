// The middle of an iteration of conjugate gradients in two floats, with alpha = (r,z) / (p,Ap):
//     r + r_low <- r + r_low - alpha (q + q_low),  sum <- ((r,z), (r,r), 0, 0)          (cg_step_two_float moves y)
// JACOBI: z <- d * r; without it z is r.
//
// pass cg_update_two_float: r + r_low -= alpha (q + q_low), sum <- (r.r, r.r, 0, 0)
//     JACOBI: r + r_low -= alpha (q + q_low), z <- d * r, sum <- (r.z, r.r, 0, 0)
// out: r r_low, z if JACOBI, sum
// in: r r_low q q_low, d if JACOBI
// scalar: alpha
// is: guarded two_float elementwise
void kernel(ivec2 at) {
    vec4 r = in_r(at), r_low = in_r_low(at);
    Double alpha = without_low(step_length(scalar_alpha));
    Double next = minus(with_low(r, r_low), times(alpha, with_low(in_q(at), in_q_low(at))));
    r = commit(r, high(next));
#ifdef JACOBI
    vec4 z = in_d(at) * r;
    out_z = z;
#else
    vec4 z = r;
#endif
    out_r = r;
    out_r_low = commit(r_low, low(next));
    out_sum = vec4(dot(r, z), dot(r, r), 0.0, 0.0);
}
