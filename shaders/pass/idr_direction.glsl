// The next direction of IDR(s): the residual, freed of what the shadow vectors P see of it by the vectors G behind it, and the
// directions U that belong to these, G = A U, from `first` on so many. What `state` holds: src/methods/idr.cpp.
//     v = r - G c,  u <- omega M^-1 v + U c          (APPLIED: z = M^-1 v is there)
//
// pass idr_direction: u <- omega (r - G c) + U c
//     JACOBI: u <- omega d * (r - G c) + U c
//     APPLIED: u <- omega z + U c
// out: u
// in: basis_u, basis_g r if not APPLIED, z if APPLIED, d if JACOBI, state
// scalar: omega
// integer: log2_width log2_columns tile_height first count
// faster: ONE_COLUMN
void kernel(ivec2 at) {
    vec4 along_u = vec4(0.0), along_g = vec4(0.0);
    for (int k = arg_first; k < arg_first + arg_count; ++k) {
        float c = component(in_state(ivec2(0, k >> 2)), k & 3);
        along_u += c * in_basis_u(tile_corner(k) + at);
#ifndef APPLIED
        along_g += c * in_basis_g(tile_corner(k) + at);
#endif
    }
#ifdef APPLIED
    vec4 z = in_z(at);
#else
    vec4 z = in_r(at) - along_g;
#endif
#ifdef JACOBI
    z *= in_d(at);
#endif
    out_u = scalar_omega.x * z + along_u;
}
