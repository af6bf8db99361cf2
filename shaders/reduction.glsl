// What a reduction carries from stage to stage, and how two of it make one. FIRST: the stage reads vectors, else what the
// stage before has left.
//   SUM          four sums (DOT: of products)
//   MEASURES     sum, |x|_1, |x|_2^2, |x|_inf, side by side
//   EXTREMES     the smallest number of a vector, and the largest (PIVOT: of a column's
//                free rows): (value, 4 x + component, y, 1); w = 0 where there is none
//   COMPENSATED  a sum in two floats (DOT: of products): the error-free transformation of each addition goes with the sum
#if defined(EXTREMES) || defined(COMPENSATED)
#define PAIR
#endif

#if defined(EXTREMES)
#define INFINITE uintBitsToFloat(0x7f800000u)
struct State {
    vec4 low, high;
};
State none() { return State(vec4(INFINITE, 0.0, 0.0, 0.0), vec4(-INFINITE, 0.0, 0.0, 0.0)); }

// Of equal numbers the first one, and one that is none after all others. `better`: a.x is the more extreme number.
vec4 extreme(vec4 a, vec4 b, bool better) {
    bool before = a.z < b.z || (a.z == b.z && a.y < b.y);
    return better || (a.x == b.x && (a.w > b.w || (a.w == b.w && before))) ? a : b;
}
State merged(State a, State b) {
    return State(extreme(a.low, b.low, a.low.x < b.low.x), extreme(a.high, b.high, a.high.x > b.high.x));
}

#ifdef FIRST
#define RUNNING
// What one invocation has found in each component, and in which texel of its walk, counted from `corner`; -1: nothing yet.
// That is cheaper by half than a State for each texel.
struct Running {
    vec4 low, high, low_at, high_at;
};
Running nothing() { return Running(vec4(INFINITE), vec4(-INFINITE), vec4(-1.0), vec4(-1.0)); }

bvec4 replaces(bvec4 better, vec4 at, bvec4 counts) {  // the first number replaces nothing, even if it is infinite
    return bvec4(counts.x && (better.x || at.x < 0.0), counts.y && (better.y || at.y < 0.0),
                 counts.z && (better.z || at.z < 0.0), counts.w && (better.w || at.w < 0.0));
}
void take(inout Running r, ivec2 corner, ivec2 step, bool inside) {
    ivec2 at = corner + step;
#ifdef PIVOT  // sizes of numbers of one zone, in rows that are not used up
    vec4 x = abs(in_x_clamped(at + ivec2(0, arg_zone_y)));
    bvec4 counts = equal(in_used_clamped(at), vec4(0.0));
#else
    vec4 x = in_x_clamped(at);
    bvec4 counts = bvec4(true);
#endif
    int left = inside ? arg_length - 4 * ((at.y << arg_log2_width) + at.x) : 0;
    counts = bvec4(counts.x && left > 0 && !is_nan(x.x), counts.y && left > 1 && !is_nan(x.y),
                   counts.z && left > 2 && !is_nan(x.z), counts.w && left > 3 && !is_nan(x.w));
    vec4 here = vec4(float(step.y * TILE_WIDTH + step.x));
    bvec4 lower = replaces(lessThan(x, r.low), r.low_at, counts);
    bvec4 higher = replaces(greaterThan(x, r.high), r.high_at, counts);
    r = Running(mix(r.low, x, lower), mix(r.high, x, higher), mix(r.low_at, here, lower), mix(r.high_at, here, higher));
}
vec4 found(float value, float walked, ivec2 corner, int component) {
    ivec2 at = corner + ivec2(int(walked) % TILE_WIDTH, int(walked) / TILE_WIDTH);
    return vec4(value, float(4 * at.x + component), float(at.y), walked < 0.0 ? 0.0 : 1.0);
}
State state(Running r, ivec2 corner) {
    State s = State(found(r.low.x, r.low_at.x, corner, 0), found(r.high.x, r.high_at.x, corner, 0));
    s = merged(s, State(found(r.low.y, r.low_at.y, corner, 1), found(r.high.y, r.high_at.y, corner, 1)));
    s = merged(s, State(found(r.low.z, r.low_at.z, corner, 2), found(r.high.z, r.high_at.z, corner, 2)));
    return merged(s, State(found(r.low.w, r.low_at.w, corner, 3), found(r.high.w, r.high_at.w, corner, 3)));
}
#else
State from(ivec2 at) { return State(in_low_clamped(at), in_high_clamped(at)); }
#endif
void store(State s) {
    out_low = s.low;
    out_high = s.high;
}

#elif defined(COMPENSATED)
#define State Two
State none() { return two(vec4(0.0)); }
State merged(State a, State b) { return plus(a, b); }

State from(ivec2 at) {
#if !defined(FIRST)  // all four components alike
    vec4 x = in_x_clamped(at);
    return Two(vec4(x.x), vec4(x.y));
#elif defined(DOT)
    return two_product(in_x_clamped(at), in_y_clamped(at));
#else
    return two(in_x_clamped(at));
#endif
}
void store(State s) {
#ifdef FIRST  // the four sums of a vector's components become one
    s = plus(s, Two(s.hi.zwxy, s.lo.zwxy));
    s = plus(s, Two(s.hi.yxwz, s.lo.yxwz));
#endif
    out_y = vec4(s.hi.x, s.lo.x, 0.0, 0.0);
}

#elif defined(MEASURES)
#define State vec4
State none() { return vec4(0.0); }
State merged(State a, State b) { return vec4(a.xyz + b.xyz, max(a.w, b.w)); }

State from(ivec2 at) {
    vec4 x = in_x_clamped(at);
#ifdef FIRST
    vec4 size = abs(x);
    return vec4((x.x + x.y) + (x.z + x.w), (size.x + size.y) + (size.z + size.w), dot(x, x),
                max(max(size.x, size.y), max(size.z, size.w)));
#else
    return x;
#endif
}
void store(State s) {
    if (is_nan(s.y)) s.w = s.y;  // max() may have passed a NaN over
    out_y = s;
}

#else
#define State vec4
State none() { return vec4(0.0); }
State merged(State a, State b) { return a + b; }

State from(ivec2 at) {
#ifdef DOT
    return in_x_clamped(at) * in_y_clamped(at);
#else
    return in_x_clamped(at);
#endif
}
void store(State s) {
#if defined(AT_ONCE)
    s = vec4((s.x + s.y) + (s.z + s.w));
#elif defined(LAST)
    if (arg_add_components != 0) s = vec4((s.x + s.y) + (s.z + s.w));
#endif
    out_y = s;
}
#endif

#ifndef RUNNING
State where_inside(bool inside, State s) {
    State other = none();
#if defined(EXTREMES)
    return State(inside ? s.low : other.low, inside ? s.high : other.high);
#elif defined(COMPENSATED)
    return Two(inside ? s.hi : other.hi, inside ? s.lo : other.lo);
#else
    return inside ? s : other;
#endif
}

// What one invocation carries while it goes through texels; here the same as from stage to stage.
#define Running State
Running nothing() { return none(); }
void take(inout Running r, ivec2 corner, ivec2 step, bool inside) { r = merged(r, where_inside(inside, from(corner + step))); }
State state(Running r, ivec2 corner) { return r; }
#endif
