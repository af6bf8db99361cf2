// y <- sums over tiles of x, TILE_WIDTH x TILE_HEIGHT texels each, row by row. The tile's size is a constant so that the
// compiler can unroll: with a uniform in its place software renderers take twice as long.
#define within(condition, value) ((condition) ? (value) : vec4(0.0))

// Eight lines at a time, so that rounding errors do not pile up.
void kernel(ivec2 at) {
    ivec2 corner = at * ivec2(TILE_WIDTH, TILE_HEIGHT);
    vec4 sum = vec4(0.0);
    for (int eight = 0; eight < TILE_HEIGHT; eight += 8) {
        vec4 lines = vec4(0.0);
        for (int j = eight; j < eight + 8; ++j) {
            vec4 line = vec4(0.0);
            for (int i = 0; i < TILE_WIDTH; ++i) {
                ivec2 from = corner + ivec2(i, j);
                line += within(from.x < arg_width, in_x_clamped(from));
            }
            lines += within(corner.y + j < arg_height, line);
        }
        sum += lines;
    }
    out_y = sum;
}
