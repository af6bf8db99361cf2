// The coefficients of s and t that make |r - omega1 s - omega2 t| smallest, by Gauss; alpha = rho / gamma goes along.
//     products = ((r,s), (s,s), (s,t), (t,t)) = (omega1, mu, nu, tau)
//
// pass bicgstab2_omegas: omegas <- (omega1, omega2, alpha, 0): |r - omega1 s - omega2 t| is smallest
// out: omegas
// in: products rt rho gamma
void kernel(ivec2 at) {
    vec4 products = in_products(at);
    float mu = products.y, nu = products.z;
    float tau = products.w - nu * nu / mu;
    float omega2 = (in_rt(at).x - nu * products.x / mu) / tau;
    float omega1 = (products.x - nu * omega2) / mu;
    out_omegas = finite_or_zero(vec4(omega1, omega2, in_rho(at).x / in_gamma(at).x, 0.0));
}
