// Where z <- M^-1 r took passes of its own, after cg_control:  beta <- (r,z) / rho,  rho <- (r,z)
//
// pass cg_direction: beta <- (r,z) / rho, rho <- (r,z)
// out: rho beta
// in: rho beta rz
// shares: texel
// is: guarded
void kernel(ivec2 at) {
    vec4 rho = in_rho(at), rz = in_rz(at);
    out_rho = commit(rho, rz);
    out_beta = commit(in_beta(at), quotient(rz, rho));
}
