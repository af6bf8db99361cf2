// Between the two steps in an iteration of BiCGStab(2), with alpha = rho / gamma of the first of them:
//     beta <- alpha (r0,s) / rho = (r0,s) / gamma,  rho <- (r0,s)
//
// pass bicgstab2_beta: beta <- (r0,s) / gamma, rho <- (r0,s)
// out: beta rho
// in: rs gamma
void kernel(ivec2 at) {
    out_beta = finite_or_zero(quotient(in_rs(at), in_gamma(at)));
    out_rho = in_rs(at);
}
