// The rows of P^T (shaders/pass/prolongation.glsl): who belongs to an aggregate is interpolated from it, and so are strong neighbours.
// Its numbers are those of P, looked up.
//
// pass transposed_rows (MERGES HAS_VALUES): columns, values <- the rows of P^T
//     COUNTS: counts <- how many entries they have
// out: columns:int values if not COUNTS, counts:int if COUNTS
// in: rows:int offsets:int if not COUNTS, m_offsets:int members:int s_offsets:int s:int p_offsets:int p_columns:int p_values
// integer: log2_entries length, first if not COUNTS
// over: ranges if not COUNTS
void offer_row(int i) {
    ivec2 all = ENTRIES_OF_ROW(in_m_offsets, i);
    for (int e = all.x + OUTER_LANE; e < all.y; e += OUTER_SIZE) {
        int j = INTEGER(in_members, e);
        offer(j, 0.0);
        ivec2 of_j = ENTRIES_OF_ROW(in_s_offsets, j);
        for (int f = of_j.x + INNER_LANE; f < of_j.y; f += INNER_SIZE) offer(INTEGER(in_s, f), 0.0);
    }
}

// p_ki of column k
float stored_value(int i, int column, float value) {
    ivec2 texels = TEXELS_OF_ROW(in_p_offsets, column);
    float sum = 0.0;  // the column is there once with its number, and perhaps again with zeros
    for (int t = texels.x; t < texels.y; ++t) {
        sum += dot(in_p_values(place_of_entry(t)), vec4(equal(in_p_columns(place_of_entry(t)), ivec4(i))));
    }
    return sum;
}
