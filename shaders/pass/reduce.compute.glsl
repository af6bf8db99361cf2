// A stage of a reduction (shaders/reduction.glsl): a work group makes a texel of the output from a tile of TILE_WIDTH x
// TILE_HEIGHT texels of the input; LAST: one group, from all of it. AT_ONCE: the group that finishes last goes on with what
// all of them have left, in lines of AT_ONCE texels, and makes the only texel of the output.
// What the group's invocations have, merged.
#ifdef EXTREMES
shared uint group_low, group_high;

uint order_of(vec4 found) { return (uint(found.z) << 17) | uint(found.y); }
vec4 with_order(float value, uint order) {
    return order == 0xffffffffu ? vec4(value, 0.0, 0.0, 0.0) : vec4(value, float(order & 0x1ffffu), float(order >> 17), 1.0);
}
// The numbers by a tree; then the first place that holds each.
State of_group(State mine) {
    int me = int(gl_LocalInvocationIndex);
    group_terms[me] = vec4(mine.low.x, -mine.high.x, 0.0, 0.0);
    if (me == 0) group_low = group_high = 0xffffffffu;
    memoryBarrierShared();
    barrier();
    for (int quarter = GROUP_SIZE / 4; quarter > 0; quarter >>= 2) {
        if (me < quarter) {
            group_terms[me] = min(min(group_terms[me], group_terms[me + quarter]),
                                  min(group_terms[me + 2 * quarter], group_terms[me + 3 * quarter]));
        }
        memoryBarrierShared();
        barrier();
    }
    float low = group_terms[0].x, high = -group_terms[0].y;
    if (mine.low.w != 0.0 && mine.low.x == low) atomicMin(group_low, order_of(mine.low));
    if (mine.high.w != 0.0 && mine.high.x == high) atomicMin(group_high, order_of(mine.high));
    memoryBarrierShared();
    barrier();
    return State(with_order(low, group_low), with_order(high, group_high));
}
#else
#ifdef COMPENSATED  // all four components alike
vec4 texel_of(State s) { return vec4(s.hi.x, s.lo.x, 0.0, 0.0); }
State of_texel(vec4 t) { return Two(vec4(t.x), vec4(t.y)); }
#else
vec4 texel_of(State s) { return s; }
State of_texel(vec4 t) { return t; }
#endif
State of_group(State mine) {
    int me = int(gl_LocalInvocationIndex);
    group_terms[me] = texel_of(mine);
    memoryBarrierShared();
    barrier();
    for (int quarter = GROUP_SIZE / 4; quarter > 0; quarter >>= 2) {
        if (me < quarter) {
            State a = merged(of_texel(group_terms[me]), of_texel(group_terms[me + quarter]));
            State b = merged(of_texel(group_terms[me + 2 * quarter]), of_texel(group_terms[me + 3 * quarter]));
            group_terms[me] = texel_of(merged(a, b));
        }
        memoryBarrierShared();
        barrier();
    }
    return of_texel(group_terms[0]);
}
#endif

#ifdef AT_ONCE
layout(rgba32f) coherent uniform IMAGE i_left;     // what each group has made; of extremes the highest to the right of all
layout(r32ui) coherent uniform COUNT_IMAGE i_finished;  // how many groups
shared bool group_is_last;

ivec2 place_of_group(int k) { return ivec2(k % AT_ONCE, k / AT_ONCE); }

void leave(State s) {
    ivec2 at = place_of_group(int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x));
#ifdef EXTREMES
    imageStore(i_left, at, s.low);
    imageStore(i_left, at + ivec2(AT_ONCE, 0), s.high);
#else
    imageStore(i_left, at, texel_of(s));
#endif
}
State left(ivec2 at) {
#ifdef EXTREMES
    return State(imageLoad(i_left, at), imageLoad(i_left, at + ivec2(AT_ONCE, 0)));
#else
    return of_texel(imageLoad(i_left, at));
#endif
}

// Is this the group that finishes last? Then `s` becomes what all have left, and the count is back at zero.
bool finish(inout State s) {
    int me = int(gl_LocalInvocationIndex), groups = int(gl_NumWorkGroups.x * gl_NumWorkGroups.y);
    if (me == 0) {
        leave(s);
        memoryBarrierImage();
        group_is_last = int(imageAtomicAdd(i_finished, ivec2(0), 1u)) == groups - 1;
    }
    memoryBarrierShared();
    barrier();
    if (!group_is_last) return false;
    memoryBarrierImage();
    State mine = none();
    for (int begin = me; begin < groups; begin += 4 * GROUP_SIZE) {
        State four[4];  // reads under way together
        for (int i = 0; i < 4; ++i) four[i] = left(place_of_group(begin + i * GROUP_SIZE));
        for (int i = 0; i < 4; ++i) mine = merged(mine, where_inside(begin + i * GROUP_SIZE < groups, four[i]));
    }
    s = of_group(mine);
    if (me == 0) imageStore(i_finished, ivec2(0), uvec4(0u));
    return true;
}
#endif

#ifndef LAST
Running walk(ivec2 corner) {
    Running r = nothing();
    for (int j = 0; j < TILE_HEIGHT; j += GROUP_HEIGHT) {
        for (int i = 0; i < TILE_WIDTH; i += GROUP_WIDTH) TAKE(r, corner, ivec2(i, j));
    }
    return r;
}
#endif

void main() {
    ivec2 at = ivec2(gl_WorkGroupID.xy);
    ivec2 tile = corner_of(at);
#ifdef LAST
    State mine = none();
    for (int begin = 0; begin < MOST_AT_LAST; begin += GROUP_SIZE) {
        int k = begin + int(gl_LocalInvocationIndex);
        mine = merged(mine, where_inside(is_wanted() && k < arg_width * arg_height, from(ivec2(k % arg_width, k / arg_width))));
    }
#else
    State mine = of_tile(tile, tile + ivec2(gl_LocalInvocationID.xy));
#endif
    State all = of_group(mine);
#ifndef LAST
    all = completed(all);
#endif
#ifdef AT_ONCE
    if (!finish(all)) return;
    at = ivec2(0);
#endif
    if (gl_LocalInvocationIndex == 0u) {
        store(all);
        store_outputs(at);
    }
}
