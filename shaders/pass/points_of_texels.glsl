// To which row of a sparse matrix each texel of its entries belongs.
//
// pass points_of_texels: points <- the row, four times
// out: points:int
// in: rows:int offsets:int
// integer: log2_entries length
// over: ranges
ivec2 range_of(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    return i < arg_length ? TEXELS_OF_ROW(in_offsets, i) : ivec2(0);
}
void kernel(ivec2 at) { out_points = ivec4(count_of(at, arg_log2_entries)); }
