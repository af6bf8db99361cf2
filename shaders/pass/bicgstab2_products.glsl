// sum <- ((r,s), (s,s), (s,t), (t,t)): what makes the residual smallest in the plane of s = A r and t = A^2 r, but for (r,t).
//
// pass bicgstab2_products: sum <- ((r,s), (s,s), (s,t), (t,t))
// out: sum
// in: r s t
// over: input
// is: elementwise
void kernel(ivec2 at) {
    vec4 r = in_r(at), s = in_s(at), t = in_t(at);
    out_sum = vec4(dot(r, s), dot(s, s), dot(s, t), dot(t, t));
}
