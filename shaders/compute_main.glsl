// One invocation makes one texel of the outputs, or REPEATS of them; the terms of a sum are added up within the work group.
void main() {
    load_scalars();
    ivec2 at = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_WIDTH, GROUP_HEIGHT * REPEATS) + ivec2(gl_LocalInvocationID.xy);
#ifdef PARTIAL_SUM
    vec4 terms = vec4(0.0);
#endif
    for (int k = 0; k < REPEATS; ++k) {
        if (all(lessThan(at, u_domain))) {
            kernel(at + u_origin);
            store_outputs(at + u_origin);
#ifdef PARTIAL_SUM
            terms += out_sum;
#endif
        }
        at.y += GROUP_HEIGHT;
    }
#ifdef PARTIAL_SUM
    vec4 sum = group_sum(terms);
    if (gl_LocalInvocationIndex == 0u) imageStore(i_sum, ivec2(gl_WorkGroupID.xy), sum);
#endif
}
