// sum <- ((t,s), (t,t), 0, 0): what the second half of an iteration of BiCGStab needs.
//
// pass bicgstab_products: sum <- ((t,s), (t,t), 0, 0)
// out: sum
// in: t s
// over: input
// is: elementwise
void kernel(ivec2 at) {
    vec4 t = in_t(at), s = in_s(at);
    out_sum = vec4(dot(t, s), dot(t, t), 0.0, 0.0);
}
