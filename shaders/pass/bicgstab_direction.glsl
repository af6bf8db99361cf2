// The beginning of an iteration of BiCGStab: a new direction, and where it leads.
//     p <- r + beta (p - omega v);   JACOBI: u <- d * p, without it u is p.    factors = (beta, omega, 0, 0)
//
// pass bicgstab_direction: p <- r + beta (p - omega v)
//     JACOBI: p <- r + beta (p - omega v), u <- d * p
// out: p, u if JACOBI
// in: p r v, d if JACOBI
// scalar: factors
// is: guarded elementwise
void kernel(ivec2 at) {
    float beta = scalar_factors.x, omega = scalar_factors.y;
    vec4 p = in_r(at) + beta * (in_p(at) - omega * in_v(at));
    p = commit(in_p(at), beta == 0.0 ? in_r(at) : p);  // a first direction takes nothing from what was before
    out_p = p;
#ifdef JACOBI
    out_u = in_d(at) * p;
#endif
}
