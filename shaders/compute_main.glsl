// One invocation makes one texel of the outputs, or REPEATS of them; the terms of a sum are added up within the work group. TEAM:
// so many invocations make a texel together, and the first of them stores it.
void main() {
    load_scalars();
    ivec2 me = ivec2(gl_LocalInvocationID.xy);
#ifdef TEAM
    team_lane = me.x % TEAM;
    ivec2 at = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_WIDTH / TEAM, GROUP_HEIGHT * REPEATS) + ivec2(me.x / TEAM, me.y);
#else
    ivec2 at = ivec2(gl_WorkGroupID.xy) * ivec2(GROUP_WIDTH, GROUP_HEIGHT * REPEATS) + me;
#endif
#ifdef SUMS_OF_GROUP
    vec4 terms[SUMS_OF_GROUP];
    for (int i = 0; i < SUMS_OF_GROUP; ++i) terms[i] = vec4(0.0);
#endif
    for (int k = 0; k < REPEATS; ++k) {
        bool stores = all(lessThan(at, u_domain));
#ifdef TEAM  // they wait for one another: all take part, also where there is nothing to store
        kernel(min(at, u_domain - 1) + u_origin);
        stores = stores && team_lane == 0;
#else
        if (stores) kernel(at + u_origin);
#endif
        if (stores) {
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
