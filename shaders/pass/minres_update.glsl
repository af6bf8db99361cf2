// An iteration of MINRES: the next Lanczos vector, and the step of the iteration before, whose length is known by now.
//     u_next <- sigma a q - (pi a^3) u + c u_before    lanczos = (a = 1 / beta, c = -beta / beta before, sigma, ...)
//     w_next <- d z_before + e w + f w_before,  y <- y + tau w_next                        step = (d, e, f, tau)
//     sum    <- ((u_next,u_next), (y,y), 0, 0)
// with z = M^-1 u, q = A z, pi = (z,q), and the sign sigma of M. Without PRECONDITIONED z is u, and sigma is 1.
// `step` is one texel: of scalar arguments there may be two.
//
// pass minres_update: u_next <- the next Lanczos vector, w_next, y <- the step before, sum <- (u_next.u_next, y.y, 0, 0)
//     PRECONDITIONED: the same, with z_before in the step
// out: u_next w_next y sum
// in: u_before, z_before if PRECONDITIONED, w_before w y step u q
// scalar: lanczos pi
// is: guarded
void kernel(ivec2 at) {
    vec4 y = in_y(at), u_before = in_u_before(at), w_before = in_w_before(at), factors = in_step(ivec2(0));
#ifdef PRECONDITIONED
    vec4 z_before = in_z_before(at);
#else
    vec4 z_before = u_before;
#endif
    float a = scalar_lanczos.x, alpha = scalar_pi.x * a * a, sigma = scalar_lanczos.z;
    vec4 u = commit(u_before, (sigma * a) * in_q(at) - (alpha * a) * in_u(at) + scalar_lanczos.y * u_before);
    vec4 w = factors.x * z_before + factors.y * in_w(at) + factors.z * w_before;
    y = commit(y, factors.w == 0.0 ? y : y + factors.w * w);  // no step takes nothing, whatever the vectors hold
    out_u_next = u;
    out_w_next = commit(w_before, w);
    out_y = y;
    out_sum = vec4(dot(u, u), dot(y, y), 0.0, 0.0);
}
