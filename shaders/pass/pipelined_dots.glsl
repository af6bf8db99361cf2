// sum <- ((r,z), (p,s), (u,s), (z,s)) with z = M^-1 r, u = M^-1 s: all that an iteration of pipelined conjugate gradients
// needs, where the product has not ended in it (DOTS in product.glsl). JACOBI: M^-1 is d; PRECONDITIONED: z and u are there.
//
// pass pipelined_dots: sum <- (r.r, p.s, s.s, r.s)
//     JACOBI: sum <- (r.z, p.s, u.s, z.s) with z = d * r, u = d * s
//     PRECONDITIONED: sum <- (r.z, p.s, u.s, z.s)
// out: sum
// in: p r s, z u if PRECONDITIONED, d if JACOBI
// over: input
// is: elementwise
void kernel(ivec2 at) {
    vec4 r = in_r(at), s = in_s(at);
#if defined(JACOBI)
    vec4 z = in_d(at) * r, u = in_d(at) * s;
#elif defined(PRECONDITIONED)
    vec4 z = in_z(at), u = in_u(at);
#else
    vec4 z = r, u = s;
#endif
    out_sum = vec4(dot(r, z), dot(in_p(at), s), dot(u, s), dot(z, s));
}
