// The compute stage: work groups, the sum over one, and teams within it.
layout(local_size_x = GROUP_WIDTH, local_size_y = GROUP_HEIGHT) in;

#define GROUP_SIZE (GROUP_WIDTH * GROUP_HEIGHT)
shared vec4 group_terms[GROUP_SIZE];

// The sum of `term` over the work group, by halves; valid in the first invocation.
vec4 group_sum(vec4 term) {
    int me = int(gl_LocalInvocationIndex);
    group_terms[me] = term;
    memoryBarrierShared();
    barrier();
    for (int half_size = GROUP_SIZE / 2; half_size > 0; half_size >>= 1) {
        if (me < half_size) group_terms[me] += group_terms[me + half_size];
        memoryBarrierShared();
        barrier();
    }
    return group_terms[0];
}

#ifdef TEAM
int team_lane = 0;

// What the invocation `distance` behind this one has for v. All of a work group call it together.
vec4 behind(vec4 v, int distance) {
#ifdef HAS_SHUFFLES
    return shuffled(v, distance);
#else
    int me = int(gl_LocalInvocationIndex);
    group_terms[me] = v;
    memoryBarrierShared();
    barrier();
    vec4 other = group_terms[min(me + distance, GROUP_SIZE - 1)];
    barrier();
    return other;
#endif
}
#endif
