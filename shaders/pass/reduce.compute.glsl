// A stage of a reduction (shaders/reduction.glsl): a work group makes a texel of the output from a tile of TILE_WIDTH x
// TILE_HEIGHT texels of the input; LAST: one group, from all of it.
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

void main() {
    State mine = none();
#ifdef LAST
    for (int begin = 0; begin < MOST_AT_LAST; begin += GROUP_SIZE) {
        int k = begin + int(gl_LocalInvocationIndex);
        mine = merged(mine, where_inside(k < arg_width * arg_height, from(ivec2(k % arg_width, k / arg_width))));
    }
#else
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT) + ivec2(gl_LocalInvocationID.xy);
    for (int j = 0; j < TILE_HEIGHT; j += GROUP_HEIGHT) {
        for (int i = 0; i < TILE_WIDTH; i += GROUP_WIDTH) {
            ivec2 at = corner + ivec2(i, j);
            mine = merged(mine, where_inside(at.x < arg_width && at.y < arg_height, from(at)));
        }
    }
#endif
    int me = int(gl_LocalInvocationIndex);
    put(me, mine);
    memoryBarrierShared();
    barrier();
    for (int half_size = GROUP_SIZE / 2; half_size > 0; half_size >>= 1) {
        if (me < half_size) put(me, merged(got(me), got(me + half_size)));
        memoryBarrierShared();
        barrier();
    }
    if (me == 0) {
        store(got(0));
        store_outputs(ivec2(gl_WorkGroupID.xy));
    }
}
