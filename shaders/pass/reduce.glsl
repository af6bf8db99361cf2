// A stage of a reduction (shaders/reduction.glsl): a texel of the output from a tile of TILE_WIDTH x TILE_HEIGHT texels of the
// input; LAST: from all of it; SUM, where its arguments say so: from all of it, tile by tile. In short pieces, so that rounding
// errors do not pile up along a line. The tile's size is a constant so that the compiler can unroll: with a uniform in its place
// software renderers take twice as long.
//
// pass sum (SUM): s <- sums over tiles, or over all, of x or of x * y
// out: s
// in: x y
// integer: width height products last
// pass measures (MEASURES FIRST): s <- (sum, |x|_1, |x|_2^2, |x|_inf) of tiles of x
// out: s
// in: x
// integer: width height
// pass measures_stage (MEASURES): the same from partial results
// out: s
// in: x
// integer: width height
// pass measures_last (MEASURES LAST): the same, to the end
// out: s
// in: x
// integer: width height
// pass extremes (EXTREMES FIRST): low, high <- the extremes of tiles of x, and where they are
// out: low high
// in: x
// integer: width height length log2_width
// pass extremes_stage (EXTREMES): the same from partial results
// out: low high
// in: low_parts high_parts
// integer: width height
// pass extremes_last (EXTREMES LAST): the same, to the end
// out: low high
// in: low_parts high_parts
// integer: width height
// pass compensated_sum (COMPENSATED FIRST): s.x + s.y <- sums over tiles of x, in two floats
// out: s
// in: x
// integer: width height
// is: two_float
// pass compensated_dot (COMPENSATED FIRST DOT): s.x + s.y <- sums over tiles of x * y, in two floats
// out: s
// in: x y
// integer: width height
// is: two_float
// pass compensated_stage (COMPENSATED): the same from partial results
// out: s
// in: x
// integer: width height
// is: two_float
// pass compensated_last (COMPENSATED LAST): the same, to the end
// out: s
// in: x
// integer: width height
// is: two_float
// pass field_sums (FIELDS FIRST): (r,z), (r,r), (y,y) over tiles, for four right-hand sides
//     SCALED: the same with z = m * r, for a vector m
// out: rz rr yy
// in: r, m if SCALED, z if not SCALED, y
// integer: width height, log2_field log2_width if SCALED
// pass field_sums_stage (FIELDS): the same from partial results
// out: rz rr yy
// in: rz_parts rr_parts yy_parts
// integer: width height
// pass field_sums_last (FIELDS LAST): the same, to the end
// out: rz rr yy
// in: rz_parts rr_parts yy_parts
// integer: width height
// pass jordan_pivot (EXTREMES FIRST PIVOT): high <- the largest number of tiles of a column, in rows that are free
// out: low high
// in: x used
// integer: width height length log2_width zone_y
// pass basis_dot (SUM FIRST BASIS): s <- sums over tiles of x * v_k, four k a texel
//     PAIR: s, t <- sums over tiles of x * v_k and y * v_k, of x * x and y * x for the last k
// out: s, t if PAIR
// in: x, y if PAIR, v
// integer: left bottom columns rows log2_width log2_columns tile_height first count
// over: window
// pass basis_sum (SUM BASIS): the same from partial results
//     PAIR: the same from partial results
// out: s, t if PAIR
// in: s_parts, t_parts if PAIR
// integer: left bottom columns rows width height
// over: window
// pass basis_last (SUM LAST BASIS): s <- V^T x from partial results, zeros for vectors that were not asked for
//     PAIR: s <- (V, x)^T x, t <- (V, x)^T y from partial results
// out: s, t if PAIR
// in: s_parts, t_parts if PAIR
// integer: width height first_block blocks
#ifndef LAST
Running walk(ivec2 corner) {
    Running all = nothing();
#ifdef ROUNDED
    for (int eight = 0; eight < TILE_HEIGHT; eight += 8) {
        Running lines = nothing();
        for (int j = eight; j < eight + 8; ++j) {
            Running line = nothing();
            for (int i = 0; i < TILE_WIDTH; ++i) TAKE(line, corner, ivec2(i, j));
            lines = merged(lines, line);
        }
        all = merged(all, lines);
    }
#else
    for (int j = 0; j < TILE_HEIGHT; ++j) {
        for (int i = 0; i < TILE_WIDTH; i += 4) {  // by hand: it is too much for compilers to do it
            TAKE(all, corner, ivec2(i, j));
            TAKE(all, corner, ivec2(i + 1, j));
            TAKE(all, corner, ivec2(i + 2, j));
            TAKE(all, corner, ivec2(i + 3, j));
        }
    }
#endif
    return all;
}
#endif

void kernel(ivec2 at) {
    ivec2 corner = corner_of(at);
#ifdef LAST
    State all = none();
    for (int eight = 0; is_wanted() && eight < arg_height; eight += 8) {
        State lines = none();
        for (int j = eight; j < min(eight + 8, arg_height); ++j) {
            State line = none();
            for (int begin = 0; begin < arg_width; begin += 32) {
                State piece = none();
                int end = min(begin + 32, arg_width);
                for (int i = begin; i < end; ++i) piece = merged(piece, from(ivec2(i, j)));
                line = merged(line, piece);
            }
            lines = merged(lines, line);
        }
        all = merged(all, lines);
    }
    store(all);
#elif defined(SUM) && !defined(BASIS)
    State all = none();
    ivec2 end = arg_last != 0 ? ivec2(arg_width, arg_height) : corner + 1;
    for (int y = corner.y; y < end.y; y += TILE_HEIGHT) {
        for (int x = corner.x; x < end.x; x += TILE_WIDTH) all = merged(all, of_tile(ivec2(x, y), ivec2(x, y)));
    }
    store(all);
#else
    store(completed(of_tile(corner, corner)));
#endif
}
