// Which entries of a symmetric matrix are strong:  |a_ij| > strong * sqrt(a_ii a_jj)  (P. Vanek, J. Mandel and M. Brezina, Computing
// 56, 1996). s holds columns in the places of the matrix's own: a weak entry, or none, has the row's own number. d is 1 / a_ii.
//
// pass strong_columns: s <- the columns of strong entries, i for others
// out: s:int
// in: rows:int offsets:int columns:int a d
// integer: log2_entries log2_width length left_first
// constant: strong
// over: ranges
ivec4 strong_or_own(ivec4 j, vec4 a, int i) {
    vec4 d_j = vec4(NUMBER(in_d, j.x, arg_log2_width), NUMBER(in_d, j.y, arg_log2_width), NUMBER(in_d, j.z, arg_log2_width),
                    NUMBER(in_d, j.w, arg_log2_width));
    vec4 share = abs(a) * sqrt(abs(NUMBER(in_d, i, arg_log2_width) * d_j));
    return i + (j - i) * ivec4(greaterThan(share, vec4(arg_strong)));
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
    out_s = strong_or_own(in_columns(place_of_entry(next_texel)), in_a(place_of_entry(arg_left_first + next_texel)), i);
    ++next_texel;
}
