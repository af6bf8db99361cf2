// y <- a x + b z; a vector whose factor is zero counts as zeros, whatever it holds. SCALED: for MultiVectors, with m * x in place of x.
//
// pass axpby: y <- a x + b z
//     FIELD: y <- a x + b z for four right-hand sides
//     FIELD SCALED: y <- a m * x + b z for four right-hand sides, with a vector m
// out: y
// in: z x, m if SCALED
// scalar: a b
// integer: log2_field log2_width if SCALED
// is: guarded, each_apart if FIELD, elementwise if not SCALED
vec4 term(vec4 a, vec4 v) { return mix(a * v, vec4(0.0), equal(a, vec4(0.0))); }

void kernel(ivec2 at) {
    vec4 z = in_z(at), x = in_x(at);
#ifdef SCALED
    x *= NUMBER(in_m_clamped, count_of(at, arg_log2_field), arg_log2_width);
#endif
    out_y = commit(z, term(scalar_a, x) + term(scalar_b, z));
}
