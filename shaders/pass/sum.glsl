// y <- sums over tiles of x, TILE_WIDTH x TILE_HEIGHT texels each, row by row. The tile's size is a constant so that the
// compiler can unroll: with a uniform in its place software renderers take twice as long.
// WHOLE_TILES: no tile reaches over the edge, and nothing has to be asked.
#ifdef WHOLE_TILES
#define within(condition, value) (value)
#else
#define within(condition, value) ((condition) ? (value) : vec4(0.0))
#endif

void kernel(ivec2 at) {
    ivec2 corner = at * ivec2(TILE_WIDTH, TILE_HEIGHT);
    vec4 sum = vec4(0.0);
    for (int j = 0; j < TILE_HEIGHT; ++j) {
        vec4 line = vec4(0.0);
        for (int i = 0; i < TILE_WIDTH; ++i) {
            ivec2 from = corner + ivec2(i, j);
            line += within(from.x < arg_width, in_x_clamped(from));
        }
        sum += within(corner.y + j < arg_height, line);
    }
    out_y = sum;
}
