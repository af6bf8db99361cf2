// Matrices of dense blocks: the rows of a sparse matrix between points (shaders/rows.glsl), its diagonal among the entries, and for
// each entry a block of numbers, row after row, each row in texels of its own. Blocks of A have arg_side rows and columns, those of P
// and A P arg_side rows and arg_wide columns. An entry that only repeats a column has zeros.
int texels_of(int numbers) { return (numbers + 3) >> 2; }

// Texel w of row r of block e, whose blocks have so many rows and columns; and number (r, c) of it.
#define BLOCK_TEXEL(read, e, r, w, rows, columns) read(place_of_entry(((e) * (rows) + (r)) * texels_of(columns) + (w)))
#define BLOCK_NUMBER(read, e, r, c, rows, columns) component(BLOCK_TEXEL(read, e, r, (c) >> 2, rows, columns), (c) & 3)

// Which of the four entries at texel t has column k, the first of them; -1: none.
int entry_of_four(ivec4 columns, int k, int t) {
    if (columns.x == k) return 4 * t;
    if (columns.y == k) return 4 * t + 1;
    if (columns.z == k) return 4 * t + 2;
    return columns.w == k ? 4 * t + 3 : -1;
}

// The entry of row i of P with column k; -1: there is none. The same of A P.
#if defined(FINDS_IN_P) || defined(TRANSPOSED)
int entry_of_p(int i, int k) {
    ivec2 texels = TEXELS_OF_ROW(in_p_offsets, i);
    int e = -1;
    for (int t = texels.x; t < texels.y && e < 0; ++t) e = entry_of_four(in_p_columns(place_of_entry(t)), k, t);
    return e;
}
#endif
#ifdef FINDS_IN_AP
int entry_of_ap(int i, int k) {
    ivec2 texels = TEXELS_OF_ROW(in_ap_offsets, i);
    int e = -1;
    for (int t = texels.x; t < texels.y && e < 0; ++t) e = entry_of_four(in_ap_columns(place_of_entry(t)), k, t);
    return e;
}
#endif
