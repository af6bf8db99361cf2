// An iteration of MINRES: the next Lanczos vector, and the step of the iteration before, whose length is known by now.
//     u_next <- a q - (pi a^3) u + c u_before       lanczos = (a = 1 / beta, c = -beta / beta before, ...), q = A u, pi = (u,q)
//     w_next <- d u_before + e w + f w_before,  y <- y + tau w_next                        step = (d, e, f, tau)
//     sum    <- ((u_next,u_next), (y,y), 0, 0)
// FINISH: only y, where no further vector is needed. `step` is one texel: of scalar arguments there may be two.
//
// pass minres_update: u_next <- the next Lanczos vector, w_next, y <- the step before, sum <- (u_next.u_next, y.y, 0, 0)
// out: u_next w_next y sum
// in: u_before w_before w y step u q
// scalar: lanczos pi
// is: guarded
// pass minres_finish (FINISH): y <- the step that is left
// out: y
// in: u_before w_before w y step
void kernel(ivec2 at) {
    vec4 y = in_y(at), u_before = in_u_before(at), w_before = in_w_before(at), factors = in_step(ivec2(0));
    vec4 w = factors.x * u_before + factors.y * in_w(at) + factors.z * w_before;
    vec4 next_y = factors.w == 0.0 ? y : y + factors.w * w;  // no step takes nothing, whatever the vectors hold
#ifdef FINISH
    out_y = next_y;
#else
    float a = scalar_lanczos.x, alpha = scalar_pi.x * a * a;
    vec4 u = a * in_q(at) - (alpha * a) * in_u(at) + scalar_lanczos.y * u_before;
    u = commit(u_before, u);
    y = commit(y, next_y);
    out_u_next = u;
    out_w_next = commit(w_before, w);
    out_y = y;
    out_sum = vec4(dot(u, u), dot(y, y), 0.0, 0.0);
#endif
}
