// What a reduction carries from stage to stage, and how two of it make one. FIRST: the stage reads vectors, else what the
// stage before has left. LAST: it goes over all of it.
//   SUM          four sums. One program makes all stages: of products where arg_products says so, over all of the input where
//                arg_last is not 0, and added up where it is 2 (SumStage in src/device/reduction_plan.hpp)
//   MEASURES     sum, |x|_1, |x|_2^2, |x|_inf, side by side
//   FIELDS       (r,z), (r,r), (y,y) for each of four right-hand sides (SCALED: z = m * r)
//   EXTREMES     the smallest number of a vector, and the largest (PIVOT: of a column's
//                free rows): (value, 4 x + component, y, 1); w = 0 where there is none
//   BASIS        four sums for each block of four vectors of a basis, one block's tiles below the other's (FIRST: inner
//                products of x with those vectors; PAIR: of x and y with those vectors and, behind them, x)
//   COMPENSATED  a sum in two floats (DOT: of products): the error-free transformation of each addition goes with the sum
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
// What one invocation has found, and in which texel of its walk, counted from `corner`; -1: nothing yet. In which component it
// is shows at the end: to look for that in each texel takes longer than to read them. So does to look for NaN: the sum of
// sizes becomes one, and then the walk is done again, with care.
struct Running {
    float low, high, low_at, high_at, sizes;
};
Running nothing() { return Running(INFINITE, -INFINITE, -1.0, -1.0, 0.0); }
int lines_without_padding() { return arg_length >> (arg_log2_width + 2); }
bool is_dubious(Running r) { return is_nan(r.sizes) || r.low_at < 0.0 || r.high_at < 0.0; }

#ifdef PIVOT  // sizes of numbers of one zone
vec4 numbers(ivec2 at) { return abs(in_x_clamped(at + ivec2(0, arg_zone_y))); }
#else
vec4 numbers(ivec2 at) { return in_x_clamped(at); }
#endif
// Which of them count: no padding, no NaN, and, of pivots, only rows that are not used up.
bvec4 counted(vec4 x, ivec2 at) {
    int left = at.x < arg_width && at.y < arg_height ? arg_length - 4 * ((at.y << arg_log2_width) + at.x) : 0;
    bvec4 counts = bvec4(left > 0 && !is_nan(x.x), left > 1 && !is_nan(x.y), left > 2 && !is_nan(x.z), left > 3 && !is_nan(x.w));
#ifdef PIVOT
    bvec4 unused = equal(in_used_clamped(at), vec4(0.0));
    counts = bvec4(counts.x && unused.x, counts.y && unused.y, counts.z && unused.z, counts.w && unused.w);
#endif
    return counts;
}
Running with_texel(Running r, vec4 l, vec4 h, ivec2 step, bool counts) {
    float low = min(min(l.x, l.y), min(l.z, l.w)), high = max(max(h.x, h.y), max(h.z, h.w));
    // The first number that counts replaces nothing, even if it is infinite.
    bool lower = low < r.low || (counts && r.low_at < 0.0), higher = high > r.high || (counts && r.high_at < 0.0);
    float here = float(step.y * TILE_WIDTH + step.x);
    return Running(lower ? low : r.low, higher ? high : r.high, lower ? here : r.low_at, higher ? here : r.high_at, r.sizes);
}
void take(inout Running r, ivec2 corner, ivec2 step) {
    vec4 x = numbers(corner + step), size = abs(x);
    r = with_texel(r, x, x, step, false);
    r.sizes += (size.x + size.y) + (size.z + size.w);
}
void take_with_care(inout Running r, ivec2 corner, ivec2 step) {
    vec4 x = numbers(corner + step);
    bvec4 counts = counted(x, corner + step);
    r = with_texel(r, mix(vec4(INFINITE), x, counts), mix(vec4(-INFINITE), x, counts), step, any(counts));
}
State state(Running r, ivec2 corner) {
    ivec2 walked = ivec2(int(max(r.low_at, 0.0)), int(max(r.high_at, 0.0)));
    ivec2 low = corner + ivec2(walked.x % TILE_WIDTH, walked.x / TILE_WIDTH);
    ivec2 high = corner + ivec2(walked.y % TILE_WIDTH, walked.y / TILE_WIDTH);
    State s = none();
    if (r.low_at >= 0.0) s.low = vec4(r.low, float(4 * low.x), float(low.y), 1.0);
    if (r.high_at >= 0.0) s.high = vec4(r.high, float(4 * high.x), float(high.y), 1.0);
    return s;
}

// The first component of its texel that holds the extreme.
vec4 with_component(vec4 found) {
    ivec2 at = ivec2(int(found.y) >> 2, int(found.z));
    vec4 x = numbers(at);
    bvec4 here = equal(x, vec4(found.x));  // NaN never is, and padding comes after all that count
#ifdef PIVOT
    bvec4 counts = counted(x, at);
    here = bvec4(here.x && counts.x, here.y && counts.y, here.z && counts.z, true);
#endif
    found.y += found.w == 0.0 || here.x ? 0.0 : here.y ? 1.0 : here.z ? 2.0 : 3.0;
    return found;
}
State completed(State s) { return State(with_component(s.low), with_component(s.high)); }
#define COMPLETED
#else
State from(ivec2 at) { return State(in_low_parts_clamped(at), in_high_parts_clamped(at)); }
#endif
void store(State s) {
    out_low = s.low;
    out_high = s.high;
}

#elif defined(COMPENSATED)
#define State Two
State none() { return two(vec4(0.0)); }
// T. Ogita, S. M. Rump, S. Oishi, SIAM J. Sci. Comput. 26 (2005), algorithms Sum2 and Dot2: what each addition loses is
// added up, and joins the sum at the end.
State merged(State a, State b) {
    Two s = two_sum(a.hi, b.hi);
    EXACT vec4 lo = exact(a.lo + b.lo);
    lo = exact(s.lo + lo);
    return Two(s.hi, lo);
}

#ifdef FIRST
#define RUNNING
#ifdef HAS_DOUBLES
// A product of two floats is a double without rounding, and the sums over a tile are short: these are as good, where the
// processor has doubles of its own, and take 4 operations a number instead of 21.
#define Running dvec4
Running nothing() { return dvec4(0.0); }
Running with_texel(Running r, ivec2 at) {
#ifdef DOT
    return r + dvec4(in_x_clamped(at)) * dvec4(in_y_clamped(at));
#else
    return r + dvec4(in_x_clamped(at));
#endif
}
State state(Running r, ivec2 corner) {
    Double sum = Double((r.x + r.y) + (r.z + r.w));
    return Two(high(sum), low(sum));
}
#else
#define Running Two
Running nothing() { return none(); }
Running with_texel(Running r, ivec2 at) {
#ifdef DOT
    return merged(r, two_product(in_x_clamped(at), in_y_clamped(at)));
#else
    Two s = two_sum(r.hi, in_x_clamped(at));
    EXACT vec4 lo = exact(r.lo + s.lo);
    return Two(s.hi, lo);
#endif
}
State state(Running r, ivec2 corner) {  // the four sums of a vector's components become one
    State s = merged(r, Two(r.hi.zwxy, r.lo.zwxy));
    return merged(s, Two(s.hi.yxwz, s.lo.yxwz));
}
#endif
int lines_without_padding() { return arg_height; }  // it is zero, and does no harm
void take(inout Running r, ivec2 corner, ivec2 step) { r = with_texel(r, corner + step); }
void take_with_care(inout Running r, ivec2 corner, ivec2 step) {
    ivec2 at = corner + step;
    if (at.x < arg_width && at.y < arg_height) r = with_texel(r, at);
}
bool is_dubious(Running r) { return false; }
#else
State from(ivec2 at) {  // all four components alike
    vec4 x = in_x_clamped(at);
    return Two(vec4(x.x), vec4(x.y));
}
#endif
void store(State s) {
    Two sum = two_sum(s.hi, s.lo);
    if (is_bad(sum.hi)) sum = two(s.hi);  // of infinite numbers differences are none
    out_s = vec4(sum.hi.x, sum.lo.x, 0.0, 0.0);
}

#elif defined(FIELDS)
struct State {
    vec4 r_z, r_r, y_y;
};
State none() { return State(vec4(0.0), vec4(0.0), vec4(0.0)); }
State merged(State a, State b) { return State(a.r_z + b.r_z, a.r_r + b.r_r, a.y_y + b.y_y); }
State from(ivec2 at) {
#ifdef FIRST
    vec4 r = in_r_clamped(at), y = in_y_clamped(at);
#ifdef SCALED
    vec4 z = NUMBER(in_m_clamped, count_of(at, arg_log2_field), arg_log2_width) * r;
#else
    vec4 z = in_z_clamped(at);
#endif
    return State(r * z, r * r, y * y);
#else
    return State(in_rz_parts_clamped(at), in_rr_parts_clamped(at), in_yy_parts_clamped(at));
#endif
}
void store(State s) {
    out_rz = s.r_z;
    out_rr = s.r_r;
    out_yy = s.y_y;
}

#elif defined(MEASURES)
#define State vec4
State none() { return vec4(0.0); }
State merged(State a, State b) { return vec4(a.xyz + b.xyz, max(a.w, b.w)); }

#ifdef FIRST
// Each component by itself, at first, and the largest by its bits, in whose order NaN comes last.
#define RUNNING
#define ROUNDED
struct Running {
    vec4 sum, sizes, squares;
    uvec4 largest;
};
Running nothing() { return Running(vec4(0.0), vec4(0.0), vec4(0.0), uvec4(0u)); }
Running merged(Running a, Running b) {
    return Running(a.sum + b.sum, a.sizes + b.sizes, a.squares + b.squares, max(a.largest, b.largest));
}
void take_with_care(inout Running r, ivec2 corner, ivec2 step) {
    ivec2 at = corner + step;
    vec4 x = in_x_clamped(at);
    x = at.x < arg_width && at.y < arg_height ? x : vec4(0.0);
    vec4 size = abs(x);
    r = Running(r.sum + x, r.sizes + size, r.squares + x * x, max(r.largest, floatBitsToUint(size)));
}
float total(vec4 v) { return (v.x + v.y) + (v.z + v.w); }
State state(Running r, ivec2 corner) {
    uint largest = max(max(r.largest.x, r.largest.y), max(r.largest.z, r.largest.w));
    return vec4(total(r.sum), total(r.sizes), total(r.squares), uintBitsToFloat(largest));
}
#else
State from(ivec2 at) { return in_x_clamped(at); }
#endif
void store(State s) {
    if (is_nan(s.y)) s.w = s.y;  // max() may have passed a NaN over
    out_s = s;
}

#else
#ifdef PAIR
struct State {
    vec4 s, t;
};
State none() { return State(vec4(0.0), vec4(0.0)); }
State merged(State a, State b) { return State(a.s + b.s, a.t + b.t); }
#else
#define State vec4
State none() { return vec4(0.0); }
State merged(State a, State b) { return a + b; }
#endif

#ifdef BASIS
int block = 0;  // at work
#ifdef FIRST
#define arg_width (1 << arg_log2_width)
#define arg_height arg_tile_height
ivec2 corner_x, corner_y, corner_z, corner_w;  // of the block's four vectors
vec4 wanted;                                   // 1 for those that are asked for
bvec4 own;                                     // PAIR: where x takes their place
void begin_block() {
    ivec4 k = 4 * block + ivec4(0, 1, 2, 3), last = ivec4(arg_first + arg_count - 1);
    wanted = vec4(lessThanEqual(k, last)) * vec4(greaterThanEqual(k, ivec4(arg_first)));
    own = equal(k, last);
    k = min(k, last);
    corner_x = tile_corner(k.x);
    corner_y = tile_corner(k.y);
    corner_z = tile_corner(k.z);
    corner_w = tile_corner(k.w);
}
#endif
#endif

State from(ivec2 at) {
#if defined(BASIS) && defined(FIRST)
    at = min(at, ivec2(arg_width, arg_height) - 1);
    vec4 x = in_x(at), a = in_v(corner_x + at), b = in_v(corner_y + at), c = in_v(corner_z + at), d = in_v(corner_w + at);
#ifdef PAIR
    vec4 y = in_y(at);
    if (own.x) a = x;
    if (own.y) b = x;
    if (own.z) c = x;
    if (own.w) d = x;
    return State(vec4(dot(x, a), dot(x, b), dot(x, c), dot(x, d)), vec4(dot(y, a), dot(y, b), dot(y, c), dot(y, d)));
#else
    return vec4(dot(x, a), dot(x, b), dot(x, c), dot(x, d));
#endif
#elif defined(PAIR)
    at += ivec2(0, block * arg_height);
    return State(in_s_parts_clamped(at), in_t_parts_clamped(at));
#elif defined(BASIS)
    return in_s_parts_clamped(at + ivec2(0, block * arg_height));
#else
    return in_x_clamped(at) * mix(vec4(1.0), in_y_clamped(at), bvec4(arg_products != 0));
#endif
}
#ifdef PAIR
void store(State all) {
#ifdef FIRST
    all = State(all.s * wanted, all.t * wanted);
#endif
    out_s = all.s;
    out_t = all.t;
}
#else
void store(State s) {
#if defined(BASIS) && defined(FIRST)
    s *= wanted;
#elif defined(BASIS)  // each component by itself
#elif defined(AT_ONCE)
    s = vec4((s.x + s.y) + (s.z + s.w));
#else
    if (arg_last == 2) s = vec4((s.x + s.y) + (s.z + s.w));
#endif
    out_s = s;
}
#endif
#endif

State where_inside(bool inside, State s) {
    State other = none();
#if defined(EXTREMES)
    return State(inside ? s.low : other.low, inside ? s.high : other.high);
#elif defined(FIELDS)
    return State(inside ? s.r_z : other.r_z, inside ? s.r_r : other.r_r, inside ? s.y_y : other.y_y);
#elif defined(COMPENSATED)
    return Two(inside ? s.hi : other.hi, inside ? s.lo : other.lo);
#elif defined(PAIR)
    return State(inside ? s.s : other.s, inside ? s.t : other.t);
#else
    return inside ? s : other;
#endif
}

// Where the tile of an output's texel begins. Of a basis: in its block.
ivec2 corner_of(ivec2 at) {
#if defined(BASIS) && defined(LAST)
    block = at.y - arg_first_block;
    return ivec2(0);
#elif defined(BASIS)
    int tiles = (arg_height + TILE_HEIGHT - 1) / TILE_HEIGHT;
    block = at.y / tiles;
#ifdef FIRST
    block += arg_first >> 2;
    begin_block();
#endif
    return ivec2(at.x, at.y % tiles) * ivec2(TILE_WIDTH, TILE_HEIGHT);
#else
    return at * ivec2(TILE_WIDTH, TILE_HEIGHT);
#endif
}
// Rows of inner products that nobody has asked for become zeros.
bool is_wanted() {
#if defined(BASIS) && defined(LAST)
    return block >= 0 && block < arg_blocks;
#else
    return true;
#endif
}

#ifndef LAST
#ifdef GROUP_SIZE  // of the compute stage
#define WALK_X GROUP_WIDTH
#define WALK_Y GROUP_HEIGHT
#else
#define WALK_X 1
#define WALK_Y 1
#endif
#ifndef RUNNING  // what an invocation carries on its walk: the same as from stage to stage
#define RUNNING
#define ROUNDED
#define Running State
Running nothing() { return none(); }
void take_with_care(inout Running r, ivec2 corner, ivec2 step) {
    ivec2 at = corner + step;
    r = merged(r, where_inside(at.x < arg_width && at.y < arg_height, from(at)));
}
State state(Running r, ivec2 corner) { return r; }
#endif
#ifndef COMPLETED  // what a tile's State lacks
State completed(State s) { return s; }
#endif

// Through the texels of a tile that are an invocation's, from `corner` on: every WALK_X and WALK_Y of them.
Running walk(ivec2 corner);

// What an invocation makes of its texels of a tile. One without padding needs no care at first. (Two walks are two texts:
// NVIDIA's compiler shares one between two callers, and unrolls none. With care it has at least a line's texels under way
// together: a group that reads one after the other would keep all others waiting.)
#if defined(PIVOT) || defined(ROUNDED)
#define TAKE take_with_care
State of_tile(ivec2 tile, ivec2 corner) { return state(walk(corner), corner); }
#else
#define TAKE take
State of_tile(ivec2 tile, ivec2 corner) {
    bool careful = tile.x + TILE_WIDTH > arg_width || tile.y + TILE_HEIGHT > lines_without_padding();
    Running r = nothing();
    if (!careful) {
        r = walk(corner);
        careful = is_dubious(r);
    }
    if (careful) {
        r = nothing();
        int height = min(TILE_HEIGHT, arg_height - tile.y);
        for (int j = 0; j < height; j += WALK_Y) {
            for (int i = 0; i < TILE_WIDTH; i += WALK_X) take_with_care(r, corner, ivec2(i, j));
        }
    }
    return state(r, corner);
}
#endif
#endif
