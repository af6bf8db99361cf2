// A stage of a reduction (shaders/reduction.glsl): a work group makes a texel of the output from a tile of TILE_WIDTH x
// TILE_HEIGHT texels of the input; LAST: one group, from all of it. AT_ONCE: the group that finishes last goes on with what
// all of them have left, in lines of AT_ONCE texels, and makes the only texel of the output.
// What the group's invocations have, merged.
#ifdef EXTREMES
#ifndef DOUBLE_REALS  // else there are longer keys
#define KEY uint
// Numbers in the order of their bits, and zero by one name.
KEY key_of(float value) {
    uint bits = floatBitsToUint(value);
    return bits << 1 == 0u ? 0x80000000u : bits ^ (uint(int(bits) >> 31) | 0x80000000u);
}
float of_key(KEY key) { return uintBitsToFloat((key & 0x80000000u) != 0u ? key ^ 0x80000000u : ~key); }
#endif
shared KEY group_low, group_high;
shared uint first_low, first_high;

uint order_of(vec4 found) { return (uint(found.z) << 17) | uint(found.y); }
vec4 with_order(float value, uint order) {
    return order == 0xffffffffu ? vec4(value, 0.0, 0.0, 0.0) : vec4(value, float(order & 0x1ffffu), float(order >> 17), 1.0);
}
// First the smallest and the largest number, then the first place that holds each. By atomics and not by a tree: all
// groups come here at the same time, and the shorter text is faster.
State of_group(State mine) {
    if (gl_LocalInvocationIndex == 0u) {
        group_low = ~KEY(0);
        group_high = KEY(0);
        first_low = first_high = 0xffffffffu;
    }
    memoryBarrierShared();
    barrier();
    atomicMin(group_low, key_of(mine.low.x));
    atomicMax(group_high, key_of(mine.high.x));
    memoryBarrierShared();
    barrier();
    float low = of_key(group_low), high = of_key(group_high);
    if (mine.low.w != 0.0 && mine.low.x == low) atomicMin(first_low, order_of(mine.low));
    if (mine.high.w != 0.0 && mine.high.x == high) atomicMin(first_high, order_of(mine.high));
    memoryBarrierShared();
    barrier();
    return State(with_order(low, first_low), with_order(high, first_high));
}
#elif defined(FIELDS)
State of_group(State mine) {
    vec4 rz = group_sum(mine.r_z);
    barrier();  // the terms have been read
    vec4 rr = group_sum(mine.r_r);
    barrier();
    return State(rz, rr, group_sum(mine.y_y));
}
#elif defined(PAIR)
State of_group(State mine) {
    vec4 s = group_sum(mine.s);
    barrier();  // the terms have been read
    return State(s, group_sum(mine.t));
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

State left(ivec2 at) {
#ifdef EXTREMES
    return State(imageLoad(i_left, at), imageLoad(i_left, at + ivec2(AT_ONCE, 0)));
#else
    return of_texel(imageLoad(i_left, at));
#endif
}

// Leaves what the group has made. Is it the last group that does so?
bool leave(State s) {
    int me = int(gl_LocalInvocationIndex);
    ivec2 at = place_of_group(int(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x));
#ifdef EXTREMES  // two invocations, so that one text serves both
    if (me < 2) imageStore(i_left, at + ivec2(me * AT_ONCE, 0), with_component(me == 0 ? s.low : s.high));
#else
    if (me == 0) imageStore(i_left, at, texel_of(completed(s)));
#endif
    if (me < 2) memoryBarrierImage();
    memoryBarrierShared();
    barrier();
    if (me == 0) {
        group_is_last = imageAtomicAdd(i_finished, ivec2(0), 1u) == gl_NumWorkGroups.x * gl_NumWorkGroups.y - 1u;
        memoryBarrierImage();
    }
    memoryBarrierShared();
    barrier();
    return group_is_last;
}

// An invocation's share of what all groups have left; the count is back at zero.
State of_all_groups() {
    int me = int(gl_LocalInvocationIndex), groups = int(gl_NumWorkGroups.x * gl_NumWorkGroups.y);
    if (me == 0) imageStore(i_finished, ivec2(0), uvec4(0u));
    State mine = none();
    for (int begin = me; begin < groups; begin += 2 * GROUP_SIZE) {  // two reads under way together
        State a = left(place_of_group(begin)), b = left(place_of_group(begin + GROUP_SIZE));
        mine = merged(mine, merged(a, where_inside(begin + GROUP_SIZE < groups, b)));
    }
    return mine;
}
#endif

#ifndef LAST
// Where a texel takes many reads or many operations, lines stay a loop: compilers would have all of a tile under way, which
// takes them a second, and more registers than there are.
#if defined(BASIS) || defined(FIELDS) || defined(COMPENSATED) || defined(PIVOT) || (defined(EXTREMES) && !defined(FIRST))
#define TILE_LINES min(TILE_HEIGHT, arg_height)
#else
#define TILE_LINES TILE_HEIGHT
#endif
Running walk(ivec2 corner) {
    Running r = nothing();
    for (int j = 0; j < TILE_LINES; j += GROUP_HEIGHT) {
        for (int i = 0; i < TILE_WIDTH; i += GROUP_WIDTH) TAKE(r, corner, ivec2(i, j));
    }
    return r;
}
#endif

#if defined(SUM) && !defined(BASIS) && !defined(AT_ONCE)
#define is_last (arg_last != 0)
#elif defined(LAST)
#define is_last true
#else
#define is_last false
#endif

// An invocation's share of all the input.
#if defined(LAST) || (defined(SUM) && !defined(BASIS))
State mine_of_all() {
    State mine = none();
    for (int begin = 0; begin < MOST_AT_LAST; begin += GROUP_SIZE) {
        int k = begin + int(gl_LocalInvocationIndex);
        mine = merged(mine, where_inside(is_wanted() && k < arg_width * arg_height, from(ivec2(k % arg_width, k / arg_width))));
    }
    return mine;
}
#else
#define mine_of_all() none()
#endif
// ... and of a tile.
#ifdef LAST
#define mine_of_tile(tile) none()
#else
State mine_of_tile(ivec2 tile) { return of_tile(tile, tile + ivec2(gl_LocalInvocationID.xy)); }
#endif

void main() {
    ivec2 at = ivec2(gl_WorkGroupID.xy);
    ivec2 tile = corner_of(at);
    State mine;
    if (is_last) {
        mine = mine_of_all();
    } else {
        mine = mine_of_tile(tile);
    }
#ifdef AT_ONCE  // a second round of the same text: instructions that are there already
    State all;
    for (int rounds = 0;; ++rounds) {
        all = of_group(mine);
        if (rounds == 1) break;
        if (!leave(all)) return;
        mine = of_all_groups();
    }
    at = ivec2(0);
#else
    State all = of_group(mine);
#ifndef LAST
    all = completed(all);
#endif
#endif
    if (gl_LocalInvocationIndex == 0u) {
        store(all);
        store_outputs(at);
    }
}
