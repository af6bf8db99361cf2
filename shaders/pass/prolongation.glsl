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

void offer_row(int i) {
    float m_i = NUMBER(in_m, i, arg_log2_width);
    if (TEAM_LANE == 0) offer(INTEGER(in_aggregate, i), (1.0 - arg_omega) * tentative(i));
    ivec2 all = ENTRIES_OF_ROW(in_s_offsets, i);
    for (int e = all.x + TEAM_LANE; e < all.y; e += TEAM_SIZE) {
        int j = INTEGER(in_s, e);
        float a = NUMBER(in_a, 4 * arg_left_first + e, arg_log2_entries);
        if (j != i) offer(INTEGER(in_aggregate, j), -m_i * a * tentative(j));
    }
}

float stored_value(int i, int column, float value) { return value; }
