// y <- A x, where A is a function `apply` in the caller's own words (include/glsolve/operator.hpp). It makes (A x) at a position of
// a grid; here it makes that of four unknowns at once, or of one in four right-hand sides: what it takes and gives are four
// numbers each, component by component.
//
// Unknowns lie row after row, WIDTH of them each; HEIGHT rows are a plane, DEPTH planes all of them. Outside there are zeros.
// In arg_table: first the sum norm of A's rows, about, then the caller's constants.
//
// product function: multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field
// structure: f1 f2 f3
// integer: log2_width length differences
// faster: LOG2_WIDTH WIDTH HEIGHT DEPTH TABLE
// is: user_glsl
// pass function_diagonal (DIAGONAL): y <- 1 / diagonal of A (of x nothing is read)
// out: y
// in: x a f1 f2 f3
// integer: log2_width length differences
// faster: LOG2_WIDTH WIDTH HEIGHT DEPTH TABLE
// is: user_glsl
#ifndef WIDTH
#define WIDTH arg_length
#define HEIGHT 1
#define DEPTH 1
#define TABLE 1
#endif
uniform vec2 arg_table[TABLE];

// In two floats the function computes in double precision, where there is any; else twice in single, of the high part of x
// and of the low one, which is no better than single precision: sizes are then told as large as their errors are.
#if defined(TWO_FLOAT) && !defined(HAS_DOUBLES)
#define unknowns vec4
bool of_low_part;
unknowns chosen(number v) { return of_low_part ? v.lo : v.hi; }
const float error_of_sizes = 16777216.0;
#else
#define unknowns number
#define chosen(v) (v)
const float error_of_sizes = 1.0;
#endif

// Where the four unknowns are; apply's argument is the position of the first.
ivec4 own_column, own_line, own_plane;
ivec2 own_at;
int own_first;  // the unknown there
int own_texel;

void begin_at(ivec2 at) {
    own_texel = rows_at(at);
    ivec4 index = rows_of(at);
    own_first = index.x;
    ivec4 line = ivec4(divided(index.x, WIDTH), divided(index.y, WIDTH), divided(index.z, WIDTH), divided(index.w, WIDTH));
    own_column = index - line * WIDTH;
    own_at = ivec2(own_column.x, line.x);
#if DEPTH > 1
    own_plane = ivec4(divided(line.x, HEIGHT), divided(line.y, HEIGHT), divided(line.z, HEIGHT), divided(line.w, HEIGHT));
    own_line = line - own_plane * HEIGHT;
#else
    own_plane = ivec4(0);
    own_line = line;
#endif
}

// How far a position is from apply's argument: in the plane, and in space.
ivec3 offset_to(ivec2 at, ivec3 offset) { return ivec3(at - own_at, 0) + offset; }
int distance_of(ivec3 o) { return o.x + WIDTH * (o.y + HEIGHT * o.z); }

bvec4 between(ivec4 i, int offset, int count) { return lessThan(uvec4(i + offset), uvec4(uint(count))); }
bvec4 is_inside(ivec3 o) {
    bvec4 x = between(own_column, o.x, WIDTH), y = between(own_line, o.y, HEIGHT), z = between(own_plane, o.z, DEPTH);
    return bvec4(ivec4(x) * ivec4(y) * ivec4(z));
}

#if defined(TWO_FLOAT) && !defined(HAS_DOUBLES)
unknowns inside_of(ivec3 o, unknowns v) { return mix(vec4(0.0), v, is_inside(o)); }
#else
unknowns inside_of(ivec3 o, unknowns v) { return where(is_inside(o), v); }
#endif

// 1 inside the grid, 0 outside.
unknowns inside(ivec2 at, ivec3 offset) { return inside_of(offset_to(at, offset), unknowns(1.0)); }
unknowns inside(ivec2 at) { return inside(at, ivec3(0)); }

// x there, and zeros outside the grid.
unknowns x(ivec2 at, ivec3 offset) {
    ivec3 o = offset_to(at, offset);
    return inside_of(o, chosen(x_run(own_texel, distance_of(o))));
}
unknowns x(ivec2 at) { return x(at, ivec3(0)); }

// Where the unknowns are, as numbers.
unknowns column(ivec2 at) { return unknowns(own_column + (at.x - own_at.x)); }
unknowns line(ivec2 at) { return unknowns(own_line + (at.y - own_at.y)); }
unknowns plane(ivec2 at) { return unknowns(own_plane); }

// Inputs of the caller's: an accessor is `vec4 name(ivec2 at, ivec3 offset) { GIVEN(in_..._clamped) }`, which comes with its text.
ivec2 given_place(int t) { return place(t, LOG2_WIDTH); }
#ifdef FIELD
#define GIVEN(fetch) ivec3 o = offset_to(at, offset); int i = max(own_first + distance_of(o), 0); return inside_of(o, unknowns(vec4(component(fetch(given_place(i >> 2)), i & 3))));
#else
#define GIVEN(fetch) ivec3 o = offset_to(at, offset); int d = distance_of(o); return inside_of(o, unknowns(shifted(fetch(given_place(own_texel + (d >> 2))), fetch(given_place(own_texel + ((d + 3) >> 2))), d & 3)));
#endif

unknowns apply(ivec2 at);
#ifdef DIAGONAL
unknowns diagonal(ivec2 at);

// y <- 1 / diagonal
void kernel(ivec2 at) {
    begin_at(at);
    out_y = mix(vec4(0.0), quotient(vec4(1.0), diagonal(own_at)), lessThan(rows_of(at), ivec4(arg_length)));
}
#else
void kernel(ivec2 at) {
    begin_at(at);
    Stored here = stored_x_texel(texel_of_x(own_texel), 0);
    Row row = empty_row();
#if defined(TWO_FLOAT) && !defined(HAS_DOUBLES)
    of_low_part = false;
    row.sum = two(apply(own_at));
#ifdef X_LOW
    of_low_part = true;
    row.sum = plus(row.sum, two(apply(own_at)));
#endif
#else
    row.sum = apply(own_at);
#endif
#if defined(TWO_FLOAT) && defined(RESIDUAL)
    row.size = error_of_sizes * arg_table[0].x * abs(high(here));
#endif
    store_product(at, number_in(here), without_padding(row, at));
}
#endif
