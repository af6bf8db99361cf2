// What a product ends in (behind product.glsl). A format names its endings, and calls store_product.
//
// ending multiply: y <- A x
// out: y
// in: x a structure
// ending multiply_dot (DOT): y <- A x, sum <- x * y
// out: y sum
// in: x a structure
// ending residual (RESIDUAL): y <- b - A x
// out: y
// in: x a structure b
// ending multiply_two_float (TWO_FLOAT DOT): y + y_low <- A x, sum <- x * y
// out: y y_low sum
// in: x a a_low structure
// compiled: A_LOW:flag
// is: two_float
// ending residual_two_float (TWO_FLOAT RESIDUAL X_LOW): y + y_low <- b - A x, sum <- (y.y, |(|A| |x| + |b|)|^2, 0, 0)
// out: y y_low sum
// in: x x_low a a_low structure b b_low
// compiled: A_LOW:flag
// is: two_float
// ending relax (STEP): y <- x + weight d * (b - A x)
// out: y
// in: x a structure b d
// constant: weight
// compiled: HAS_D:flag
// is: guarded
// ending relax_twice (STEP TWICE): y <- share z - weight d * (A z) with z = d * x
// out: y
// in: x a structure d
// constant: share weight
// compiled: HAS_D:flag
// ending chebyshev (STEP CHEBYSHEV): p <- d * (b - A x) + beta p, y <- x + alpha p
// out: y p
// in: x a structure b p d
// constant: alpha beta
// compiled: HAS_D:flag
// is: guarded
// ending chebyshev_norms (STEP CHEBYSHEV NORMS): the same, sum <- (r.r, x.x, 0, 0) with r = b - A x
// out: y p sum
// in: x a structure b p d
// constant: alpha beta
// compiled: HAS_D:flag
// is: guarded
// ending multiply_dots (DOTS): y <- A x, sum <- (r.z, x.y, u.y, z.y) with z = d * r, u = d * y
// out: y sum
// in: x a structure r d
// compiled: HAS_D:flag
// ending field (FIELD DOT): y <- A x for four right-hand sides, sum <- x * y
// out: y sum
// in: x a structure
// integer: log2_field
// ending chebyshev_steps (STEP CHEBYSHEV ASYNCHRONOUS): several steps of chebyshev, not waiting for one another
// out: y p
// in: x a structure b p d
// integer: steps
// compiled: FIRST_STEP HAS_D:flag
// is: guarded asynchronous
// ending relax_field (FIELD STEP): y <- x + weight d * (b - A x) for four right-hand sides
// out: y
// in: x a structure b d
// integer: log2_field
// constant: weight
// compiled: HAS_D:flag
// is: guarded each_apart
// ending relax_twice_field (FIELD STEP TWICE): y <- share z - weight d * (A z) with z = d * x for four right-hand sides
// out: y
// in: x a structure d
// integer: log2_field
// constant: share weight
// compiled: HAS_D:flag
// The reciprocal diagonal, or ones where there is none (HAS_D). OWN_DIAGONAL: the kernel has what it is made of anyway, which
// saves a fetch.
#ifdef OWN_DIAGONAL
vec4 reciprocal_diagonal = vec4(0.0);
#define diagonal_at(at) (HAS_D ? reciprocal_diagonal : vec4(1.0))
#else
#define diagonal_at(at) (HAS_D ? in_d(at) : vec4(1.0))
#endif

#ifndef PARTIAL  // the sums over parts of rows go elsewhere first
// Padding stays zero. By itself where the matrix holds zeros for it; a MultiVector's is made like some other row.
Row without_padding(Row row, ivec2 at) {
    bvec4 inside = lessThan(rows_of(at), ivec4(arg_length));
    row.sum = where(inside, row.sum);
    row.rest = mix(vec4(0.0), row.rest, inside);
    row.size = mix(vec4(0.0), row.size, inside);
    return row;
}
number without_padding(number x, ivec2 at) { return where(lessThan(rows_of(at), ivec4(arg_length)), x); }
#ifdef FIELD
#define padded(what, at) without_padding(what, at)
#else
#define padded(what, at) (what)
#endif

// y <- A x (DOT: and the terms of (x, y)), or b - A x. In two floats: sum <- (y.y, |size|^2, 0, 0), with size |A| |x| + |b|.
// DOTS: sum <- (r.z, x.y, u.y, z.y) with z = d * r, u = d * y (HAS_D; else z is r, u is y).
// STEP: with r = b - A x and z = d * r (HAS_D; else z is r)  y <- x + weight z;
// TWICE: y <- share x - weight d * (A x), where x is d * b (HAS_D; else it is b);
// CHEBYSHEV: p <- z + beta p,  y <- x + alpha p;  NORMS: sum <- (r.r, x.x, 0, 0).
// FIELD: of each of four right-hand sides y <- A x and the terms of (x, y), or a STEP, d being one vector for all.
// ASYNCHRONOUS: the same, one of several such steps, with the x that others have at this moment.
void store_product(ivec2 at, number here, Row parts) {
    Row row = of_team(parts);
    if (team_lane > 0) return;
    number sum = total(row);
#if defined(TWICE)
    out_y = arg_share * here - arg_weight * (diagonal_at(at) * sum);
#elif defined(STEP)
    vec4 r = in_b(at) - sum;
    vec4 z = diagonal_at(at) * r;
#ifdef CHEBYSHEV
#ifdef ASYNCHRONOUS
    vec2 alpha_beta = arg_table[FIRST_STEP + local_step];
#else
    vec2 alpha_beta = vec2(arg_alpha, arg_beta);
#endif
    vec4 p = in_p(at);
    p = commit(p, z + alpha_beta.y * p);
    out_p = p;
    out_y = commit(here, here + alpha_beta.x * p);
#else
    out_y = commit(here, here + arg_weight * z);
#endif
#ifdef NORMS
    out_sum = vec4(dot(r, r), dot(here, here), 0.0, 0.0);
#endif
#elif defined(TWO_FLOAT)
#ifdef RESIDUAL
    number b = with_low(in_b(at), in_b_low(at));
    number y = minus(b, sum);
    vec4 size = row.size + abs(high(b));
    out_sum = vec4(dot(high(y), high(y)), dot(size, size), 0.0, 0.0);
#else
    number y = sum;
    out_sum = high(here) * high(y);
#endif
    out_y = high(y);
    out_y_low = low(y);
#else
#ifdef RESIDUAL
    out_y = in_b(at) - sum;
#else
    out_y = sum;
#endif
#ifdef DOT
    out_sum = here * sum;
#endif
#ifdef DOTS
    vec4 r = in_r(at);
    vec4 d = diagonal_at(at), z = d * r, u = d * sum;
    out_sum = vec4(dot(r, z), dot(here, sum), dot(u, sum), dot(z, sum));
#endif
#endif
}
#endif
