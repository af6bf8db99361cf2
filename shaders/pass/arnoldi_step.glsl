// What is left of a candidate w for vector k of a basis V when its parts along the others, s = V^T w, are taken out, and how the
// next one begins. Behind s stands (w,w), behind t = V^T u stands (w,u):
//     nu^2 <- (w,w) - (s,s),  tau <- ((w,u) - (s,t)) / nu = (v_k,u);   step = (nu^2, 1 / nu, tau, nu)
// w has been through Gram and Schmidt's process once: s is small beside w, and the difference is as good as (w - V s)^2.
//
// pass arnoldi_step: step <- (nu^2, 1 / nu, tau, nu)
// out: step
// in: s t
// integer: k
void kernel(ivec2 at) {
    vec2 sums = vec2(0.0);
    vec2 own = vec2(component(in_s(ivec2(0, arg_k >> 2)), arg_k & 3), component(in_t(ivec2(0, arg_k >> 2)), arg_k & 3));
    for (int i = 0; i < arg_k; ++i) {
        float s = component(in_s(ivec2(0, i >> 2)), i & 3), t = component(in_t(ivec2(0, i >> 2)), i & 3);
        sums += vec2(s * s, s * t);
    }
    float square = own.x - sums.x, nu = sqrt(max(square, 0.0));
    vec4 step = vec4(square, finite_or_zero(quotient(vec4(1.0), vec4(nu))).x, 0.0, nu);
    step.z = (own.y - sums.y) * step.y;
    out_step = step;
}
