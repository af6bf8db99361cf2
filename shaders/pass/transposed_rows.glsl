// The rows of P^T (shaders/pass/prolongation.glsl): who belongs to an aggregate is interpolated from it, and so are strong neighbours.
// Its numbers are those of P, looked up.
//
// pass transposed_rows (MERGES HAS_VALUES): columns, values <- the rows of P^T
//     COUNTS: counts <- how many entries they have
// out: columns:int values if not COUNTS, counts:int if COUNTS
// in: rows:int offsets:int if not COUNTS, m_offsets:int members:int s_offsets:int s:int p_offsets:int p_columns:int p_values
// integer: log2_entries length, first if not COUNTS
// over: ranges if not COUNTS
void offer_around(int j) {
    offer(j, 0.0);
    ivec2 texels = TEXELS_OF_ROW(in_s_offsets, j);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 k = in_s(place_of_entry(t));
        offer(k.x, 0.0);
        offer(k.y, 0.0);
        offer(k.z, 0.0);
        offer(k.w, 0.0);
    }
}

void offer_row(int i) {
    ivec2 texels = TEXELS_OF_ROW(in_m_offsets, i);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 j = in_members(place_of_entry(t));
        offer_around(j.x);
        if (j.y != j.x) offer_around(j.y);
        if (j.z != j.y) offer_around(j.z);
        if (j.w != j.z) offer_around(j.w);
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
