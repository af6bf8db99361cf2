// A matrix of blocks as one of numbers (shaders/rows.glsl): row r of point i has the columns of all its blocks, also those that
// repeat others. So a row of a point with n texels of entries has n * arg_wide texels, and there are arg_side such rows.
// TRANSPOSED: of P^T, whose numbers are those of P; points of its rows have arg_side unknowns, those of its columns arg_wide.
//
// in: points:int offsets:int
//
// pass expanded_offsets (OFFSETS): made <- the first entry of each row, and behind the last one how many there are
// out: made:int
// integer: log2_entries length side wide
//
// pass expanded_columns (COLUMNS): made <- the columns
// out: made:int
// in: of_blocks:int
// integer: log2_entries length side wide
//
// pass expanded_values (VALUES): a rectangle of made <- the numbers; beside: without those on the diagonal
//     TRANSPOSED: those of P^T
// out: made
// in: of_blocks:int blocks, p_offsets:int p_columns:int if TRANSPOSED
// integer: left bottom columns rows log2_entries length side wide beside
// over: window
//
// pass expanded_sums (SUMS): made <- the sums of the rows
// out: made
// in: blocks
// integer: log2_entries length side wide log2_width
#ifdef OFFSETS
int offset_of(int i) {
    int last = min(i, arg_length);
    int point = last / arg_side;
    ivec2 texels = ivec2(INTEGER(in_offsets, point), INTEGER(in_offsets, point + 1)) >> 2;
    int row = last - point * arg_side;  // of the point behind the last one: none, and no such offset is needed
    return 4 * arg_wide * (texels.x * arg_side + (row == 0 ? 0 : row * (texels.y - texels.x)));
}
void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_entries);
    out_made = ivec4(offset_of(first), offset_of(first + 1), offset_of(first + 2), offset_of(first + 3));
}
#endif
#if defined(COLUMNS) || defined(VALUES)
int point;
int row;
int first_number;  // of the four of the texel, in its row
int first_entry;   // of the point

// What texel t of the made matrix holds.
void find_texel(int t) {
    int a_texel = arg_side * arg_wide;  // so many come of one texel of entries
    point = in_points(place_of_entry(divided(t, a_texel))).x;
    ivec2 texels = TEXELS_OF_ROW(in_offsets, point);
    int a_row = (texels.y - texels.x) * arg_wide;
    int rest = t - texels.x * a_texel;
    row = divided(rest, a_row);
    first_number = 4 * (rest - row * a_row);
    first_entry = 4 * texels.x;
}
int entry_of(int number) { return first_entry + divided(number, arg_wide); }
int column_in_block(int number) { return number - divided(number, arg_wide) * arg_wide; }
#endif
#ifdef COLUMNS
int column_of(int number) { return INTEGER(in_of_blocks, entry_of(number)) * arg_wide + column_in_block(number); }
void kernel(ivec2 at) {
    int t = count_of(at, arg_log2_entries);
    out_made = ivec4(0);
    if (t < arg_length) {
        find_texel(t);
        out_made = ivec4(column_of(first_number), column_of(first_number + 1), column_of(first_number + 2),
                         column_of(first_number + 3));
    }
}
#endif
#ifdef VALUES
float value_of(int number) {
    int e = entry_of(number);
    int c = column_in_block(number);
    int k = INTEGER(in_of_blocks, e);
#ifdef TRANSPOSED
    if (e > first_entry && k == INTEGER(in_of_blocks, e - 1)) return 0.0;
    int g = entry_of_p(k, point);  // none: P has a zero there
    if (g < 0) return 0.0;
    return BLOCK_NUMBER(in_blocks, g, c, row, arg_wide, arg_side);
#else
    if (arg_beside != 0 && k == point && c == row) return 0.0;
    return BLOCK_NUMBER(in_blocks, e, row, c, arg_side, arg_wide);
#endif
}
void kernel(ivec2 at) {
    int t = count_of(at - ivec2(arg_left, arg_bottom), arg_log2_entries);
    out_made = vec4(0.0);
    if (t < arg_length) {
        find_texel(t);
        out_made = vec4(value_of(first_number), value_of(first_number + 1), value_of(first_number + 2), value_of(first_number + 3));
    }
}
#endif
#ifdef SUMS
float sum_of_row(int i) {
    int point = i / arg_side;
    int row = i - point * arg_side;
    ivec2 entries = ENTRIES_OF_ROW(in_offsets, point);
    float sum = 0.0;
    for (int e = entries.x; e < entries.y; ++e) {
        for (int w = 0; w < texels_of(arg_wide); ++w) sum += dot(BLOCK_TEXEL(in_blocks, e, row, w, arg_side, arg_wide), vec4(1.0));
    }
    return sum;
}
void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_width);
    vec4 made = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        if (first + r < arg_length) made += in_lane(sum_of_row(first + r), r);
    }
    out_made = made;
}
#endif
