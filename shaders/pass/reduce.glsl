// A stage of a reduction (shaders/reduction.glsl): a texel of the output from a tile of TILE_WIDTH x TILE_HEIGHT texels of the
// input; LAST: from all of it; SUM, where its arguments say so: from all of it, tile by tile. In short pieces, so that rounding
// errors do not pile up along a line. The tile's size is a constant so that the compiler can unroll: with a uniform in its place
// software renderers take twice as long.
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
