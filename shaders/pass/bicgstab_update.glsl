// The second half of an iteration of BiCGStab, with alpha as before and omega = (t,s) / (t,t):
//     y <- y + alpha u + omega w,  r <- s - omega t,  sum <- ((r0,r), (r,r), (y,y), 0)
//
// pass bicgstab_update: y += alpha u + omega w, r <- s - omega t, sum <- ((r0,r), (r,r), (y,y), 0)
// out: y r sum
// in: y r u w s t shadow
// scalar: alpha products
// is: guarded elementwise
void kernel(ivec2 at) {
    float alpha = finite_or_zero(scalar_alpha).x;
    float omega = finite_or_zero(quotient(vec4(scalar_products.x), vec4(scalar_products.y))).x;
    vec4 y = commit(in_y(at), in_y(at) + (alpha * in_u(at) + omega * in_w(at)));
    vec4 r = commit(in_r(at), in_s(at) - omega * in_t(at));
    out_y = y;
    out_r = r;
    out_sum = vec4(dot(in_shadow(at), r), dot(r, r), dot(y, y), 0.0);
}
