// The middle of an iteration of conjugate gradients in two floats, with alpha = (r,z) / (p,Ap):
//     r + r_low <- r + r_low - alpha (q + q_low),  sum <- ((r,z), (r,r), 0, 0)          (cg_step_two_float moves y)
// JACOBI: z <- d * r; without it z is r.
void kernel(ivec2 at) {
    Two r = Two(in_r(at), in_r_low(at));
    Two step = times(two(step_length(scalar_alpha)), Two(in_q(at), in_q_low(at)));
    Two next = minus(r, step);
    r = Two(commit(r.hi, next.hi), commit(r.lo, next.lo));
#ifdef JACOBI
    vec4 z = in_d(at) * r.hi;
    out_z = z;
#else
    vec4 z = r.hi;
#endif
    out_r = r.hi;
    out_r_low = r.lo;
    out_sum = vec4(dot(r.hi, z), dot(r.hi, r.hi), 0.0, 0.0);
}
