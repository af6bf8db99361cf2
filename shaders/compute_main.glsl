// One invocation makes one texel of the outputs; the terms of a sum are added up within the work group.
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    bool inside = all(lessThan(at, u_domain));
    load_scalars();
#ifdef PARTIAL_SUM
    out_sum = vec4(0.0);
#endif
    if (inside) {
        kernel(at + u_origin);
        store_outputs(at + u_origin);
    }
#ifdef PARTIAL_SUM
    vec4 sum = group_sum(inside ? out_sum : vec4(0.0));
    if (gl_LocalInvocationIndex == 0u) imageStore(i_sum, ivec2(gl_WorkGroupID.xy), sum);
#endif
}
