// Matrices of dense blocks: the rows of a sparse matrix between points (shaders/rows.glsl), its diagonal among the entries, and for
// each entry a block of numbers, row after row, each row in texels of its own. Blocks of A have arg_side rows and columns, those of P
// and A P arg_side rows and arg_wide columns. An entry that only repeats a column has zeros.
int texels_of(int numbers) { return (numbers + 3) >> 2; }

// Texel w of row r of block e, whose blocks have so many rows and columns; and number (r, c) of it.
#define BLOCK_TEXEL(read, e, r, w, rows, columns) read(place_of_entry(((e) * (rows) + (r)) * texels_of(columns) + (w)))
#define BLOCK_NUMBER(read, e, r, c, rows, columns) component(BLOCK_TEXEL(read, e, r, (c) >> 2, rows, columns), (c) & 3)

// Which of four columns is k, the first of them; -1: none.
int lane_of(ivec4 columns, int k) {
    if (columns.x == k) return 0;
    if (columns.y == k) return 1;
    if (columns.z == k) return 2;
    return columns.w == k ? 3 : -1;
}

// The entry of row i of P with column k; -1: there is none. The same of A P.
#if defined(FINDS_IN_P) || defined(TRANSPOSED)
int entry_of_p(int i, int k) {
    ivec2 texels = TEXELS_OF_ROW(in_p_offsets, i);
    for (int t = texels.x; t < texels.y; ++t) {
        int lane = lane_of(in_p_columns(place_of_entry(t)), k);
        if (lane >= 0) return 4 * t + lane;
    }
    return -1;
}
#endif
#ifdef FINDS_IN_AP
int entry_of_ap(int i, int k) {
    ivec2 texels = TEXELS_OF_ROW(in_ap_offsets, i);
    for (int t = texels.x; t < texels.y; ++t) {
        int lane = lane_of(in_ap_columns(place_of_entry(t)), k);
        if (lane >= 0) return 4 * t + lane;
    }
    return -1;
}
#endif

// The block, row of it and texel of that row that texel t of a matrix of blocks is; and the row of points that the block belongs to.
// It is -1 where there is no such block, or it repeats the column of the entry before.
#ifdef MAKES_BLOCKS
int made_entry;
int made_row;
int made_texel;
int made_point;
void find_made(int t, int rows, int columns) {
    int a_row = texels_of(columns);
    made_entry = divided(t, a_row * rows);
    int rest = t - made_entry * a_row * rows;
    made_row = rest / a_row;
    made_texel = rest - made_row * a_row;
    made_point = -1;
    if (made_entry < arg_entries) {
        made_point = in_points(place_of_entry(made_entry >> 2)).x;
        bool begins = made_entry == INTEGER(in_offsets, made_point);
        if (!begins && INTEGER(in_columns, made_entry) == INTEGER(in_columns, made_entry - 1)) made_point = -1;
    }
}
#endif
