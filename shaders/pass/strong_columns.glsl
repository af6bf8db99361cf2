// Which entries of a symmetric matrix are strong:  |a_ij| > strong * sqrt(a_ii a_jj)  (P. Vanek, J. Mandel and M. Brezina, Computing
// 56, 1996). Rounding makes a_ij and a_ji differ: the larger of the two decides for both, and an entry without the other is weak.
// s holds columns in the places of the matrix's own: a weak entry, or none, has the row's own number. d is 1 / a_ii.
//
// pass strong_columns: s <- the columns of strong entries, i for others
// out: s:int
// in: rows:int offsets:int columns:int a d
// integer: log2_entries log2_width length left_first
// constant: strong
// over: ranges
// |a_ji|; -1: there is none.
float opposite(int i, int j) {
    ivec2 texels = TEXELS_OF_ROW(in_offsets, j);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 k = in_columns(place_of_entry(t));
        if (k.w >= i) {  // columns ascend: here it is, or nowhere
            vec4 a = abs(in_a(place_of_entry(arg_left_first + t)));
            if (k.x == i) return a.x;
            if (k.y == i) return a.y;
            if (k.z == i) return a.z;
            return k.w == i ? a.w : -1.0;
        }
    }
    return -1.0;
}

int strong_or_own(int j, float a, int i, float d_i) {
    if (j == i || a == 0.0) return i;
    float other = opposite(i, j);
    float share = max(abs(a), other) * sqrt(abs(d_i * NUMBER(in_d, j, arg_log2_width)));
    return other >= 0.0 && share > arg_strong ? j : i;
}

int next_texel = 0;

ivec2 range_of(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    ivec2 texels = i < arg_length ? TEXELS_OF_ROW(in_offsets, i) : ivec2(0);
    next_texel = texels.x;
    return texels;
}

void kernel(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    ivec4 j = in_columns(place_of_entry(next_texel));
    vec4 a = in_a(place_of_entry(arg_left_first + next_texel));
    float d_i = NUMBER(in_d, i, arg_log2_width);
    out_s = ivec4(strong_or_own(j.x, a.x, i, d_i), strong_or_own(j.y, a.y, i, d_i), strong_or_own(j.z, a.z, i, d_i),
                  strong_or_own(j.w, a.w, i, d_i));
    ++next_texel;
}
