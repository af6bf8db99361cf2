// The last step of a cycle of IDR(s): |r - omega t| is smallest for omega = (r,t) / (t,t). Where r and t are all but orthogonal that
// step is next to nothing, and the convergence that the cycles have had is lost; then omega is larger (G. L. G. Sleijpen and
// H. A. van der Vorst, Numer. Algorithms 10 (1995)):  |omega| |t| >= kappa |r|.
//     products = ((r,t), (t,t), (t,r), (r,r))
//
// pass idr_omega: omega <- (r,t) / (t,t), no shorter than kappa |r| / |t|
// out: omega
// in: products
// constant: kappa
void kernel(ivec2 at) {
    vec4 products = in_products(at);
    float omega = products.x / products.y, least = arg_kappa * sqrt(products.w / products.y);
    if (abs(omega) < least) omega = omega < 0.0 ? -least : least;
    out_omega = finite_or_zero(vec4(omega));
}
