// One invocation makes one texel of the outputs, or REPEATS of them; the terms of a sum are added up within the work group.
void main() {
    load_scalars();
    ivec2 at = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_WIDTH, GROUP_HEIGHT * REPEATS) + ivec2(gl_LocalInvocationID.xy);
#ifdef SUMS_OF_GROUP
    vec4 terms[SUMS_OF_GROUP];
    for (int i = 0; i < SUMS_OF_GROUP; ++i) terms[i] = vec4(0.0);
#endif
    for (int k = 0; k < REPEATS; ++k) {
        if (all(lessThan(at, u_domain))) {
            kernel(at + u_origin);
            store_outputs(at + u_origin);
#ifdef SUMS_OF_GROUP
            add_terms(terms);
#endif
        }
        at.y += GROUP_HEIGHT;
    }
#ifdef SUMS_OF_GROUP
    for (int i = 0; i < SUMS_OF_GROUP; ++i) {
        if (i > 0) barrier();  // the terms have been read
        terms[i] = group_sum(terms[i]);
    }
    if (gl_LocalInvocationIndex == 0u) store_sums(ivec2(gl_WorkGroupID.xy), terms);
#endif
}
