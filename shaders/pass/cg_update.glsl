// The middle of an iteration of conjugate gradients, with alpha = (r,z) / (p,Ap):
//     y <- y + alpha p,  r <- r - alpha q,  sum <- ((r,z), (r,r), (y,y), 0)
// JACOBI: z <- d * r; without it z is r.  FIELD: for four right-hand sides, whose sums a pass of their own makes.
void kernel(ivec2 at) {
    vec4 alpha = step_length(scalar_alpha);
    vec4 y = in_y(at);
    vec4 r = in_r(at);
    y = commit(y, y + alpha * in_p(at));
    r = commit(r, r - alpha * in_q(at));
#ifdef JACOBI
    vec4 z = in_d(at) * r;
    out_z = z;
#else
    vec4 z = r;
#endif
    out_y = y;
    out_r = r;
#ifndef FIELD
    out_sum = vec4(dot(r, z), dot(r, r), dot(y, y), 0.0);
#endif
}
