// The first of the two steps in an iteration of BiCGStab(2), with alpha = rho / (r0, v):
//     y <- y + alpha u,  r <- r - alpha v
//
// pass bicgstab2_half: y += alpha u, r -= alpha v
// out: y r
// in: y r u v
// scalar: alpha
// is: guarded elementwise
void kernel(ivec2 at) {
    float alpha = finite_or_zero(scalar_alpha).x;
    out_y = commit(in_y(at), in_y(at) + alpha * in_u(at));
    out_r = commit(in_r(at), in_r(at) - alpha * in_v(at));
}
