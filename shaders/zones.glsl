// Where the numbers of a dense matrix are, in vector zones cut into strips (src/dense/zones.hpp): texel t of column j's zone
// stands at zone_corner(j) + in_strips(t).
#ifndef LOG2_STRIP
#define LOG2_STRIP arg_log2_strip
#endif
#ifndef LOG2_COLUMNS
#define LOG2_COLUMNS arg_log2_columns
#endif

ivec2 zone_corner(int j) {
    return ivec2((j & ((1 << LOG2_COLUMNS) - 1)) << LOG2_STRIP, (j >> LOG2_COLUMNS) * arg_tile_height);
}
ivec2 in_strips(ivec2 t) {
    return ivec2(((t.x >> LOG2_STRIP) << (LOG2_COLUMNS + LOG2_STRIP)) + (t.x & ((1 << LOG2_STRIP) - 1)), t.y);
}

// A zone of c, whose zones lie one beside the other: which part of the product it is, and which texel of it stands at `at`.
int part_at(ivec2 at, int log2_width, int log2_zones) {
    return ((at.y / arg_tile_height) << log2_zones) + (at.x >> log2_width);
}
ivec2 texel_of_part(ivec2 at, int log2_width) { return ivec2(at.x & ((1 << log2_width) - 1), at.y % arg_tile_height); }

// The other way round: whose zone a texel of the matrix is in, and where in that zone.
int column_at(ivec2 at) {
    return ((at.y / arg_tile_height) << LOG2_COLUMNS) + ((at.x >> LOG2_STRIP) & ((1 << LOG2_COLUMNS) - 1));
}
ivec2 texel_at(ivec2 at) {
    return ivec2(((at.x >> (LOG2_COLUMNS + LOG2_STRIP)) << LOG2_STRIP) + (at.x & ((1 << LOG2_STRIP) - 1)),
                 at.y % arg_tile_height);
}
