// Where the tiles of a format are, each as large as a vector: the first texel of tile k.
ivec2 tile_corner(int k) {
#ifdef ONE_COLUMN
    return ivec2(0, k * arg_tile_height);
#else
    return ivec2((k & ((1 << arg_log2_columns) - 1)) << arg_log2_width, (k >> arg_log2_columns) * arg_tile_height);
#endif
}
