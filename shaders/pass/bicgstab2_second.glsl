// The second of the two steps in an iteration of BiCGStab(2), with alpha = rho / (r0, w); y follows with the update:
//     u <- r - beta u,  r <- r - alpha v,  s <- s - alpha w
//
// pass bicgstab2_second: u <- r - beta u, r -= alpha v, s -= alpha w
// out: u r s
// in: u r s v w
// scalar: alpha beta
// is: guarded elementwise
void kernel(ivec2 at) {
    float alpha = finite_or_zero(scalar_alpha).x;
    vec4 r = in_r(at);
    out_u = r - scalar_beta.x * in_u(at);
    out_r = commit(r, r - alpha * in_v(at));
    out_s = in_s(at) - alpha * in_w(at);
}
