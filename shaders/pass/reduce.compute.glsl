// A stage of a reduction (shaders/reduction.glsl): a work group makes a texel of the output from a tile of TILE_WIDTH x
// TILE_HEIGHT texels of the input; LAST: one group, from all of it. AT_ONCE: the group that is the last to finish goes on
// with what all of them have left, and makes the only texel of the output.
#ifdef PAIR
shared vec4 group_seconds[GROUP_SIZE];
#endif

void put(int i, State s) {
#if defined(EXTREMES)
    group_terms[i] = s.low;
    group_seconds[i] = s.high;
#elif defined(COMPENSATED)
    group_terms[i] = s.hi;
    group_seconds[i] = s.lo;
#else
    group_terms[i] = s;
#endif
}
State got(int i) {
#ifdef PAIR
    return State(group_terms[i], group_seconds[i]);
#else
    return group_terms[i];
#endif
}

// What the group's invocations have, merged; valid in the first of them.
State of_group(State mine) {
    int me = int(gl_LocalInvocationIndex);
    put(me, mine);
    memoryBarrierShared();
    barrier();
    for (int half_size = GROUP_SIZE / 2; half_size > 0; half_size >>= 1) {
        if (me < half_size) put(me, merged(got(me), got(me + half_size)));
        memoryBarrierShared();
        barrier();
    }
    return got(0);
}

#ifdef AT_ONCE
layout(rgba32f) coherent uniform image2D i_left;       // by each group: a state, its second half to the right of all groups
layout(r32ui) coherent uniform uimage2D i_finished;    // groups, so far
shared bool group_is_last;

void leave(State s) {
    ivec2 at = ivec2(gl_WorkGroupID.xy);
#if defined(EXTREMES)
    imageStore(i_left, at, s.low);
    imageStore(i_left, at + ivec2(int(gl_NumWorkGroups.x), 0), s.high);
#elif defined(COMPENSATED)
    imageStore(i_left, at, s.hi);
    imageStore(i_left, at + ivec2(int(gl_NumWorkGroups.x), 0), s.lo);
#else
    imageStore(i_left, at, s);
#endif
}
State left(ivec2 at) {
#ifdef PAIR
    return State(imageLoad(i_left, at), imageLoad(i_left, at + ivec2(int(gl_NumWorkGroups.x), 0)));
#else
    return imageLoad(i_left, at);
#endif
}

// Says whether this group is the last one; then `s` is what all have left. The count is back at zero then.
bool finish(inout State s) {
    bool first = gl_LocalInvocationIndex == 0u;
    int groups = int(gl_NumWorkGroups.x * gl_NumWorkGroups.y);
    if (first) {
        leave(s);
        memoryBarrier();
        group_is_last = int(imageAtomicAdd(i_finished, ivec2(0), 1u)) == groups - 1;
    }
    memoryBarrierShared();
    barrier();
    if (!group_is_last) return false;
    memoryBarrier();
    State mine = none();
    for (int k = int(gl_LocalInvocationIndex); k < groups; k += GROUP_SIZE) {
        mine = merged(mine, left(ivec2(k % int(gl_NumWorkGroups.x), k / int(gl_NumWorkGroups.x))));
    }
    s = of_group(mine);
    if (first) imageStore(i_finished, ivec2(0), uvec4(0u));
    return true;
}
#endif

void main() {
#ifdef LAST
    State mine = none();
    for (int begin = 0; begin < MOST_AT_LAST; begin += GROUP_SIZE) {
        int k = begin + int(gl_LocalInvocationIndex);
        mine = merged(mine, where_inside(k < arg_width * arg_height, from(ivec2(k % arg_width, k / arg_width))));
    }
    State all = of_group(mine);
#else
    Running mine = nothing();
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT) + ivec2(gl_LocalInvocationID.xy);
    for (int j = 0; j < TILE_HEIGHT; j += GROUP_HEIGHT) {
        for (int i = 0; i < TILE_WIDTH; i += GROUP_WIDTH) {
            take(mine, corner, ivec2(i, j), corner.x + i < arg_width && corner.y + j < arg_height);
        }
    }
    State all = of_group(state(mine, corner));
#endif
    ivec2 at = ivec2(gl_WorkGroupID.xy);
#ifdef AT_ONCE
    if (!finish(all)) return;
    at = ivec2(0);
#endif
    if (gl_LocalInvocationIndex == 0u) {
        store(all);
        store_outputs(at);
    }
}
