// P = (I - omega D^-1 A_S) T (P. Vanek, J. Mandel and M. Brezina, Computing 56, 1996): A_S has the strong entries of A, and the weak
// ones added to its diagonal D. T has in row i the number t_i (TENTATIVE; else 1) at the aggregate of i. m is omega / D.
//
// pass prolongation (MERGES HAS_VALUES): columns, values <- the rows of P
//     COUNTS: counts <- how many entries they have
//     TENTATIVE: smoothed from other numbers than ones
//     COUNTS TENTATIVE: the same
// out: columns:int values if not COUNTS, counts:int if COUNTS
// in: rows:int offsets:int if not COUNTS, aggregate:int s_offsets:int s:int a m, t if TENTATIVE
// integer: log2_entries log2_width length left_first, first if not COUNTS
// constant: omega
// over: ranges if not COUNTS
float tentative(int j) {
#ifdef TENTATIVE
    return NUMBER(in_t, j, arg_log2_width);
#else
    return 1.0;
#endif
}

void offer_neighbour(int i, int j, float a, float m_i) {
    if (j != i) offer(INTEGER(in_aggregate, j), -m_i * a * tentative(j));
}

void offer_row(int i) {
    float m_i = NUMBER(in_m, i, arg_log2_width);
    offer(INTEGER(in_aggregate, i), (1.0 - arg_omega) * tentative(i));
    ivec2 texels = TEXELS_OF_ROW(in_s_offsets, i);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 j = in_s(place_of_entry(t));
        vec4 a = in_a(place_of_entry(arg_left_first + t));
        offer_neighbour(i, j.x, a.x, m_i);
        offer_neighbour(i, j.y, a.y, m_i);
        offer_neighbour(i, j.z, a.z, m_i);
        offer_neighbour(i, j.w, a.w, m_i);
    }
}

float stored_value(int i, int column, float value) { return value; }
