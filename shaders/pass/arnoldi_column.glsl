// The Hessenberg matrix H of Arnoldi's process, whose vectors are orthogonalised for the second time together with the next
// one's first: column k - 1 is completed,  h <- h + s  with nu below it, and column k begins,
//     h <- ((t, tau) - H s) / nu          (FLEXIBLE: (t, tau) / nu)
// since A M^-1 was applied to w, before V s was taken out of it, and A M^-1 V = (V, v) H. Where M varies there is no such
// relation, and z_k = M^-1 w / nu is taken as it is. step = (nu^2, 1 / nu, tau, nu): arnoldi_step.glsl.
//
// pass arnoldi_column: h_k-1 <- (h_k-1 + s, nu), h_k <- ((t, tau) - H s) / nu
//     FLEXIBLE: h_k-1 <- (h_k-1 + s, nu), h_k <- (t, tau) / nu
// out: h
// in: h s t step
// integer: k
// is: guarded
vec4 rows_before(int end, int row, vec4 four) {  // zeros from row `end` on
    return mix(vec4(0.0), four, lessThan(4 * row + ivec4(0, 1, 2, 3), ivec4(end)));
}
vec4 with_row(int i, float value, int row, vec4 four) {
    return mix(four, vec4(value), equal(4 * row + ivec4(0, 1, 2, 3), ivec4(i)));
}
vec4 column(int i, int row) {
    vec4 h = in_h(ivec2(i, row));
    if (i < arg_k - 1) return h;
    return with_row(arg_k, in_step(ivec2(0)).w, row, rows_before(arg_k, row, h + in_s(ivec2(0, row))));
}

void kernel(ivec2 at) {
    vec4 before = in_h(at), h = before, step = in_step(ivec2(0));
    if (at.x == arg_k - 1) h = column(at.x, at.y);
    if (at.x == arg_k) {
        h = with_row(arg_k, step.z, at.y, rows_before(arg_k, at.y, in_t(ivec2(0, at.y))));
#ifndef FLEXIBLE
        for (int i = 0; i < arg_k; ++i) h -= component(in_s(ivec2(0, i >> 2)), i & 3) * column(i, at.y);
#endif
        h *= step.y;
    }
    out_h = commit(before, h);
}
