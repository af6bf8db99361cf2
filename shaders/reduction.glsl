// What a reduction carries from stage to stage, and how two of it make one. FIRST: the stage reads vectors, else what the
// stage before has left.
//   SUM          four sums (DOT: of products)
//   MEASURES     sum, |x|_1, |x|_2^2, |x|_inf, side by side
//   EXTREMES     the smallest number of a vector, and the largest (PIVOT: of a column's
//                free rows): (value, 4 x + component, y, 1), all zero where there is none
//   COMPENSATED  a sum in two floats (DOT: of products): the error-free transformation of each addition goes with the sum
#if defined(EXTREMES) || defined(COMPENSATED)
#define PAIR
#endif

#if defined(EXTREMES)
struct State {
    vec4 low, high;
};
State none() { return State(vec4(0.0), vec4(0.0)); }

// Of equal numbers the first one. `way` is 1 for the smallest, -1 for the largest.
vec4 extreme(vec4 a, vec4 b, float way) {
    bool before = a.z < b.z || (a.z == b.z && a.y < b.y);
    return b.w == 0.0 || (a.w != 0.0 && (way * a.x < way * b.x || (a.x == b.x && before))) ? a : b;
}
State merged(State a, State b) { return State(extreme(a.low, b.low, 1.0), extreme(a.high, b.high, -1.0)); }

State from(ivec2 at) {
#ifdef FIRST
#ifdef PIVOT  // sizes of numbers of one zone, in rows that are not used up
    vec4 x = abs(in_x_clamped(at + ivec2(0, arg_zone_y)));
    vec4 used = in_used_clamped(at);
#else
    vec4 x = in_x_clamped(at);
    vec4 used = vec4(0.0);
#endif
    int number = 4 * ((at.y << arg_log2_width) + at.x);
    State all = none();
    for (int i = 0; i < 4; ++i) {
        float value = component(x, i);
        bool counts = number + i < arg_length && component(used, i) == 0.0 && !is_nan(value);
        vec4 here = vec4(value, float(4 * at.x + i), float(at.y), counts ? 1.0 : 0.0);
        all = merged(all, State(here, here));
    }
    return all;
#else
    return State(in_low_clamped(at), in_high_clamped(at));
#endif
}
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
#ifdef LAST
    if (arg_add_components != 0) s = vec4((s.x + s.y) + (s.z + s.w));
#endif
    out_y = s;
}
#endif
