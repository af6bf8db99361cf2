// The first half of an iteration of BiCGStab, with alpha = rho / (r0, v):
//     s <- r - alpha v;   JACOBI: w <- d * s, without it w is s
//
// pass bicgstab_half: s <- r - alpha v
//     JACOBI: s <- r - alpha v, w <- d * s
// out: s, w if JACOBI
// in: r v, d if JACOBI
// scalar: alpha
// is: elementwise
void kernel(ivec2 at) {
    vec4 s = in_r(at) - finite_or_zero(scalar_alpha).x * in_v(at);
    out_s = s;
#ifdef JACOBI
    out_w = in_d(at) * s;
#endif
}
