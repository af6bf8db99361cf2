// The end of an iteration of BiCGStab(2), with omegas = (omega1, omega2, alpha, 0):
//     y <- y + omega1 r + omega2 s + alpha u,  r <- r - omega1 s - omega2 t,  u <- u - omega1 v - omega2 w
//     sum <- ((r0,r), (r,r), (y,y), 0)
//
// pass bicgstab2_update: y += omega1 r + omega2 s + alpha u, r -= omega1 s + omega2 t, u -= omega1 v + omega2 w, sums
// out: y r u sum
// in: y r u s t v w shadow
// scalar: omegas
// is: guarded elementwise
void kernel(ivec2 at) {
    float omega1 = scalar_omegas.x, omega2 = scalar_omegas.y, alpha = scalar_omegas.z;
    vec4 r = in_r(at), s = in_s(at), u = in_u(at);
    vec4 y = commit(in_y(at), in_y(at) + (omega1 * r + omega2 * s + alpha * u));
    out_u = u - (omega1 * in_v(at) + omega2 * in_w(at));
    r = commit(r, r - (omega1 * s + omega2 * in_t(at)));
    out_y = y;
    out_r = r;
    out_sum = vec4(dot(in_shadow(at), r), dot(r, r), dot(y, y), 0.0);
}
