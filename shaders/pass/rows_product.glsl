// The rows of A B: row i is the sum of a_ij times row j of B (F. G. Gustavson, ACM Trans. Math. Softw. 4, 1978).
//
// pass rows_product (MERGES HAS_VALUES): columns, values <- the rows of A B beside its diagonal
//     COUNTS: counts <- how many entries they have
//     DIAGONAL: all of A B, where 1 / d is the diagonal of A, whose entries are the others
//     DIAGONAL COUNTS: the same
//     WHOLE: all of A B, where all of A is among its entries
//     WHOLE COUNTS: the same
// out: columns:int values if not COUNTS, counts:int if COUNTS
// in: rows:int offsets:int if not COUNTS, left_offsets:int left_columns:int a, d if DIAGONAL, right_offsets:int right_columns:int right_values
// integer: log2_entries log2_width length left_first, first if not COUNTS
// over: ranges if not COUNTS
void offer_times(int i, int j, float a) {
    ivec2 texels = TEXELS_OF_ROW(in_right_offsets, j);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 k = in_right_columns(place_of_entry(t));
        if (k.w > last_column) {
            if (k.x > next_column) return;
            vec4 b = a * in_right_values(place_of_entry(t));
#if !defined(DIAGONAL) && !defined(WHOLE)
            k += ivec4(equal(k, ivec4(i))) * (-1 - k);  // is never offered: -1
#endif
            offer(k.x, b.x);
            offer(k.y, b.y);
            offer(k.z, b.z);
            offer(k.w, b.w);
        }
    }
}

void offer_row(int i) {
#ifdef DIAGONAL
    if (TEAM_LANE == 0) offer_times(i, i, 1.0 / NUMBER(in_d, i, arg_log2_width));
#endif
    ivec2 all = ENTRIES_OF_ROW(in_left_offsets, i);
    for (int e = all.x + TEAM_LANE; e < all.y; e += TEAM_SIZE) {
        float a = NUMBER(in_a, 4 * arg_left_first + e, arg_log2_entries);
#ifdef WHOLE
        offer_times(i, INTEGER(in_left_columns, e), a);  // of a pattern: its zeros count
#else
        if (a != 0.0) offer_times(i, INTEGER(in_left_columns, e), a);  // zeros: behind the last entry
#endif
    }
}

float stored_value(int i, int column, float value) { return value; }
