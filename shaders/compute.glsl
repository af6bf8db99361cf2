// The compute stage: work groups, and the sum over one.
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
