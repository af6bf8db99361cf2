// What the products with matrices share, whatever the format: how x and the matrix are read, and how terms are added.
// A *number* is a float for each of four rows, or two floats (TWO_FLOAT: shaders/two_float.glsl).
#ifndef LOG2_WIDTH
#define LOG2_WIDTH arg_log2_width
#endif

#ifdef ASYNCHRONOUS
uniform vec2 arg_table[FIRST_STEP + MOST_STEPS];  // what the format has there, then alpha and beta of each step
#endif

#ifdef TWO_FLOAT
#define number Double
#else
#define number vec4
#define with_low(hi, lo) (hi)
#define without_low(hi) (hi)
number plus(number a, number b) { return a + b; }
number minus(number a, number b) { return a - b; }
number times(number a, number b) { return a * b; }
#endif

// Which rows a texel of y is: four of one vector, those of texel t of the matrix's own layout. FIELD: a texel of x and y is one
// row in four right-hand sides; of what the matrix holds for four rows it takes its lane, four times.
#ifdef FIELD
#define X_LOG2_WIDTH arg_log2_field
int row_lane;
vec4 row_mask;  // 1 in that lane
ivec4 rows_of(ivec2 at) { return ivec4((at.y << arg_log2_field) + at.x); }
int to_row(int i) {
    int row = clamp(i, 0, max(arg_length - 1, 0));  // behind the last one: what is made of it becomes zeros
    row_lane = row & 3;
    row_mask = vec4(equal(ivec4(row_lane), ivec4(0, 1, 2, 3)));
    return row >> 2;
}
int rows_at(ivec2 at) { return to_row(rows_of(at).x); }
ivec2 place_of_rows(ivec2 at) { return place(rows_at(at), LOG2_WIDTH); }
ivec4 lanes() { return ivec4(row_lane); }
vec4 of_lane(vec4 v) { return vec4(dot(v, row_mask)); }  // quicker than a choice; a matrix is finite
int texel_of_x(int t) { return (t << 2) + row_lane; }
#else
#define X_LOG2_WIDTH LOG2_WIDTH
int rows_at(ivec2 at) { return (at.y << LOG2_WIDTH) + at.x; }
ivec2 place_of_rows(ivec2 at) { return at; }
ivec4 lanes() { return ivec4(0, 1, 2, 3); }
ivec4 rows_of(ivec2 at) { return ivec4(4 * rows_at(at)) + lanes(); }
#define of_lane(v) (v)
#define texel_of_x(t) (t)
#endif

// The same for four rows; v.x + v.y in two floats, and where all numbers are doubles.
number number_of(vec2 v) {
#ifdef DOUBLE_REALS
    v.x += v.y;
    v.y = 0.0;
#endif
    return with_low(vec4(v.x), vec4(v.y));
}
number zero() { return number_of(vec2(0.0)); }

// Component i of x, for four rows.
number four_times(number x, int i) {
#ifdef TWO_FLOAT
    return number_of(vec2(component(high(x), i), component(low(x), i)));
#else
    return vec4(component(x, i));
#endif
}

// v where `keep` says so, elsewhere zeros.
#ifdef TWO_FLOAT
Two where(bvec4 keep, Two v) { return Two(mix(vec4(0.0), v.hi, keep), mix(vec4(0.0), v.lo, keep)); }
#endif
#if !defined(TWO_FLOAT) || defined(HAS_DOUBLES)
number where(bvec4 keep, number v) { return mix(number(0.0), v, keep); }
#endif

// What textures hold of four numbers of x. They become numbers when all have been gathered: in double precision that is
// arithmetic, which takes long where hardware has none.
#ifdef TWO_FLOAT
#define Stored Two
#define stored(hi, lo) Two(hi, lo)
#ifdef X_LOW
number number_in(Stored v) { return with_low(v.hi, v.lo); }
#else
number number_in(Stored v) { return without_low(v.hi); }
#endif
#else
#define Stored vec4
#define stored(hi, lo) (hi)
#define number_in(v) (v)
#endif

// The low part of a texel of x, where it has one.
#ifdef X_LOW
#define low_of_x(at) in_x_low(at)
#define low_of_x_clamped(at) in_x_low_clamped(at)
#else
#define low_of_x(at) vec4(0.0)
#define low_of_x_clamped(at) vec4(0.0)
#endif

// TWICE: x is d * b (HAS_D; else it is b), which is read in its place.
#ifdef TWICE
#define of_d(x, d) ((x) * (HAS_D ? (d) : vec4(1.0)))
#else
#define of_d(x, d) (x)
#endif
#ifdef FIELD  // d is a vector, of which texel t of x has a lane
#define d_of_texel(at, t) vec4(component(in_d_clamped(place((t) >> 2, LOG2_WIDTH)), (t) & 3))
#else
#define d_of_texel(at, t) in_d_clamped(at)
#endif

// The numbers of the matrix at a texel of `a`, with low parts where single precision cannot hold them (A_LOW).
number a_texel(ivec2 at) {
    vec4 hi = of_lane(in_a(at));
#ifdef TWO_FLOAT
    if (A_LOW) return with_low(hi, in_a_low(at));
#endif
    return without_low(hi);
}

// The numbers of x at the place of y.
Stored stored_x_at(ivec2 at) { return stored(of_d(in_x(at), in_d(at)), low_of_x(at)); }
number x_at(ivec2 at) { return number_in(stored_x_at(at)); }

// The texel of x `distance` behind texel t, counted along the rows of the texture. Outside it: some texel inside, or zeros
// where the numbers of the matrix are constants of the shader, which have no zeros of their own there. Images have zeros there
// by themselves (ZEROS_OUTSIDE).
Stored stored_x_texel(int t, int distance) {
    t += distance;
    ivec2 at = place(t, X_LOG2_WIDTH);
    Stored x = stored(of_d(in_x_clamped(at), d_of_texel(at, t)), low_of_x_clamped(at));
#if (defined(OFFSETS) || defined(CONSTANT)) && !defined(ZEROS_OUTSIDE)
    if (distance != 0) x = where(bvec4(uint(t) < uint(u_domain.y << X_LOG2_WIDTH)), x);
#endif
    return x;
}
number x_texel(int t, int distance) { return number_in(stored_x_texel(t, distance)); }

vec4 picked(vec4 x, vec4 y, vec4 z, vec4 w, ivec4 i) {
    return vec4(component(x, i.x), component(y, i.y), component(z, i.z), component(w, i.w));
}

// The texel of x that holds a column of the matrix: surely inside.
Stored x_of(int column) {
#ifdef FIELD
    int t = column;
#else
    int t = column >> 2;
#endif
    return stored_x_at(place(t, X_LOG2_WIDTH));
}

#ifdef HAS_NUMBERS
float x_number(int i) {
#ifdef TWICE
    return in_x_number(i) * (HAS_D ? in_d_number(i) : 1.0);
#else
    return in_x_number(i);
#endif
}
#endif

// Four elements of x, each from a column of its own.
number x_elements(ivec4 c) {
#ifdef FIELD
    ivec4 own = c * ivec4(equal(ivec4(row_lane), ivec4(0, 1, 2, 3)));
    return number_in(x_of(own.x + own.y + own.z + own.w));
#elif defined(HAS_NUMBERS)  // then texels need not be fetched for a component each
#ifdef X_LOW
    vec4 lo = vec4(in_x_low_number(c.x), in_x_low_number(c.y), in_x_low_number(c.z), in_x_low_number(c.w));
#else
    vec4 lo = vec4(0.0);
#endif
    vec4 hi = vec4(x_number(c.x), x_number(c.y), x_number(c.z), x_number(c.w));
    return number_in(stored(hi, lo));
#else
    Stored x = x_of(c.x);
    Stored y = x_of(c.y);
    Stored z = x_of(c.z);
    Stored w = x_of(c.w);
#ifdef TWO_FLOAT
    ivec4 i = c & 3;
    return number_in(stored(picked(x.hi, y.hi, z.hi, w.hi, i), picked(x.lo, y.lo, z.lo, w.lo, i)));
#else
    return picked(x, y, z, w, c & 3);
#endif
#endif
}

// Four consecutive numbers of x, the first of them `offset` behind the beginning of texel t: they lie in one texel or in two.
number x_run(int t, int offset) {
#ifdef FIELD
    return x_texel(texel_of_x(t), offset);
#elif defined(HAS_RUNS)  // zeros outside
    int i = (t << 2) + offset;
#ifdef X_LOW
    vec4 lo = in_x_low_run(i);
#else
    vec4 lo = vec4(0.0);
#endif
    return number_in(stored(of_d(in_x_run(i), in_d_run(i)), lo));
#else
    Stored x = stored_x_texel(t, offset >> 2);
    Stored next = stored_x_texel(t, (offset + 3) >> 2);
#ifdef TWO_FLOAT
    return number_in(stored(shifted(x.hi, next.hi, offset & 3), shifted(x.lo, next.lo, offset & 3)));
#else
    return shifted(x, next, offset & 3);
#endif
#endif
}

// The sum over the terms of a row, what its additions have rounded off, and |A| |x|. The last two are zero where nobody
// asks for them.
struct Row {
    number sum;
    vec4 rest, size;
    bool begun;  // looked at where the loop is unrolled: then it costs nothing, and the first addition goes
};

Row empty_row() { return Row(zero(), vec4(0.0), vec4(0.0), false); }

// row <- row + term
void add(inout Row row, number term) {
#if defined(TWO_FLOAT) && !defined(HAS_DOUBLES)
#ifdef COUNT
    if (row.begun) {
        row.sum = plus(row.sum, term);
    } else {
        row.sum = term;
    }
    row.begun = true;
#else  // rows may be long, and a rounding error of 2^-48 for each term too much
    Two hi = two_sum(row.sum.hi, term.hi);
    Two lo = two_sum(row.sum.lo, term.lo);
    Two both = two_sum(lo.hi, hi.lo);
    row.sum = Two(hi.hi, both.hi);
    row.rest += lo.lo + both.lo;
#endif
#else
    row.sum += term;
#endif
}

// row <- row + a x
void add_product(inout Row row, number a, number x) { add(row, times(a, x)); }

void add_size(inout Row row, number a, number x, number base) {
#if defined(TWO_FLOAT) && defined(RESIDUAL)
    row.size += abs(high(a)) * (abs(high(x)) + abs(high(base)));
#endif
}

// row <- row + a (x - base)
void add_term(inout Row row, number a, number x, number base) {
    add_product(row, a, minus(x, base));
    add_size(row, a, x, base);
}

// What the terms beside the diagonal are multiplied with: x_j, or x_j - x_i (src/formats/diagonal_part.hpp).
number base_of(number here) { return where(bvec4(arg_differences != 0), here); }

// The sum, with what its additions have rounded off.
number total(Row row) {
#if defined(TWO_FLOAT) && !defined(HAS_DOUBLES) && !defined(COUNT)
    return plus(ordered_sum(row.sum.hi, row.sum.lo), two(row.rest));
#else
    return row.sum;
#endif
}

// What the others of a team have found of the row joins what its first invocation has.
#ifdef TEAM
#define team_size TEAM
#ifdef TWO_FLOAT
number number_behind(number v, int distance) { return with_low(behind(high(v), distance), behind(low(v), distance)); }
#else
number number_behind(number v, int distance) { return behind(v, distance); }
#endif
Row of_team(Row row) {
    for (int distance = TEAM / 2; distance > 0; distance /= 2) {
        number sum = number_behind(row.sum, distance);
        vec4 rest = behind(row.rest, distance);
        vec4 size = behind(row.size, distance);
        add(row, sum);
        row.rest += rest;
        row.size += size;
    }
    return row;
}
#else
#define team_size 1
#define team_lane 0
#define of_team(row) (row)
#endif
