// One invocation makes texels of the outputs that follow one another: for texel `at` of the first input those from range_of(at).x
// up to range_of(at).y, which kernel(at) makes one after the other. TEAM: a work group does so together,
// and the first of it stores them.
void main() {
    load_scalars();
#ifdef TEAM
    team_lane = int(gl_LocalInvocationIndex);
    ivec2 at = ivec2(gl_WorkGroupID.xy);
    bool stores = team_lane == 0;
#else
    ivec2 at = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_WIDTH, GROUP_HEIGHT) + ivec2(gl_LocalInvocationID.xy);
    bool stores = true;
#endif
    if (any(greaterThanEqual(at, u_domain))) return;
    ivec2 range = range_of(at);
    for (int t = range.x; t < range.y; ++t) {
        kernel(at);
        if (stores) store_outputs(t);
    }
}
