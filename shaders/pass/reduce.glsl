// A stage of a reduction (shaders/reduction.glsl): a texel of the output from a tile of TILE_WIDTH x TILE_HEIGHT texels of the
// input; LAST: from all of it. In short pieces, so that rounding errors do not pile up along a line. The tile's size is a
// constant so that the compiler can unroll: with a uniform in its place software renderers take twice as long.
void kernel(ivec2 at) {
    State all = none();
#ifdef LAST
    for (int j = 0; j < arg_height; ++j) {
        State line = none();
        for (int begin = 0; begin < arg_width; begin += 32) {
            State piece = none();
            int end = min(begin + 32, arg_width);
            for (int i = begin; i < end; ++i) piece = merged(piece, from(ivec2(i, j)));
            line = merged(line, piece);
        }
        all = merged(all, line);
    }
#elif defined(RUNNING)  // nothing is rounded here
    ivec2 corner = at * ivec2(TILE_WIDTH, TILE_HEIGHT);
    Running walk = nothing();
    for (int j = 0; j < TILE_HEIGHT; ++j) {
        for (int i = 0; i < TILE_WIDTH; ++i) {
            take(walk, corner, ivec2(i, j), corner.x + i < arg_width && corner.y + j < arg_height);
        }
    }
    all = state(walk, corner);
#else
    ivec2 corner = at * ivec2(TILE_WIDTH, TILE_HEIGHT);
    for (int eight = 0; eight < TILE_HEIGHT; eight += 8) {
        State lines = none();
        for (int j = eight; j < eight + 8; ++j) {
            State line = none();
            for (int i = 0; i < TILE_WIDTH; ++i) {
                ivec2 texel = corner + ivec2(i, j);
                line = merged(line, where_inside(texel.x < arg_width, from(texel)));
            }
            lines = merged(lines, where_inside(corner.y + j < arg_height, line));
        }
        all = merged(all, lines);
    }
#endif
    store(all);
}
