// One invocation makes texels of the outputs that follow one another: for texel `at` of the first input those from range_of(at).x
// up to range_of(at).y, which kernel(at) makes one after the other.
void main() {
    load_scalars();
    ivec2 at = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_WIDTH, GROUP_HEIGHT) + ivec2(gl_LocalInvocationID.xy);
    if (any(greaterThanEqual(at, u_domain))) return;
    ivec2 range = range_of(at);
    for (int t = range.x; t < range.y; ++t) {
        kernel(at);
        store_outputs(t);
    }
}
