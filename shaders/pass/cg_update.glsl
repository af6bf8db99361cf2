// The middle of an iteration of conjugate gradients, with alpha = (r,z) / (p,Ap):
//     y <- y + alpha p,  r <- r - alpha q,  sum <- ((r,z), (r,r), (y,y), 0)
// JACOBI: z <- d * r; without it z is r.  FIELD: for four right-hand sides, whose sums, of each apart, are left to another pass, or,
// SUMS, made here: (r,z), (r,r) and (y,y). Their z is not kept: what it is made of are r and a vector.
//
// pass cg_update: y += alpha p, r -= alpha q, sum <- (r.r, r.r, y.y, 0)
//     JACOBI: y += alpha p, r -= alpha q, z <- d * r, sum <- (r.z, r.r, y.y, 0)
//     FIELD: y += alpha p, r -= alpha q for four right-hand sides
//     FIELD SUMS: the same, sum <- r * r, sum_rr <- r * r, sum_yy <- y * y
//     FIELD SUMS JACOBI: the same, sum <- r * z with z = d * r, for a vector d
// out: y r, z if JACOBI and not FIELD, sum if SUMS or not FIELD, sum_rr sum_yy if SUMS
// in: y p r q, d if JACOBI
// scalar: alpha
// integer: log2_field log2_width if JACOBI and FIELD
// is: guarded, each_apart if FIELD, elementwise if not JACOBI or not FIELD
void kernel(ivec2 at) {
    vec4 alpha = step_length(scalar_alpha);
    vec4 y = in_y(at);
    vec4 r = in_r(at);
    y = commit(y, y + alpha * in_p(at));
    r = commit(r, r - alpha * in_q(at));
#if defined(FIELD) && defined(JACOBI)
    vec4 z = NUMBER(in_d_clamped, count_of(at, arg_log2_field), arg_log2_width) * r;
#elif defined(JACOBI)
    vec4 z = in_d(at) * r;
    out_z = z;
#else
    vec4 z = r;
#endif
    out_y = y;
    out_r = r;
#if defined(FIELD) && defined(SUMS)
    out_sum = r * z;
    out_sum_rr = r * r;
    out_sum_yy = y * y;
#elif !defined(FIELD)
    out_sum = vec4(dot(r, z), dot(r, r), dot(y, y), 0.0);
#endif
}
