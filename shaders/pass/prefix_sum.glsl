// Sums of what stands before, in groups of 32 (G. E. Blelloch, IEEE Trans. Comput. 38, 1989): up to sums of groups of groups until
// there is one, and back down. `parts` has a texel for each part: two numbers, x and y, that are added up.
//
// integer: log2_entries length
//
// pass sums_of_groups (UP): groups <- the sums of 32 texels of parts
// out: groups:int
// in: parts:int
//
// pass sums_before (DOWN): before <- for each texel of parts the sum of x before it; top: of the texels of its own group only
//     BASE: and that before its group
// out: before:int
// in: parts:int, base:int if BASE
//
// pass offsets_of_rows (ROWS): offsets <- factor times the sum of x before each part, four parts a texel; behind the last one that of all
//     BASE: the same of more than 32 parts
// out: offsets:int
// in: parts:int, base:int if BASE
// integer: factor
const int group_size = 32;

#ifdef UP
void kernel(ivec2 at) {
    int first = group_size * count_of(at, arg_log2_entries);
    ivec4 all = ivec4(0);
    for (int k = first; k < min(first + group_size, arg_length); ++k) all += in_parts(place_of_entry(k));
    out_groups = all;
}
#else
int sum_before_part(int k) {
#ifdef BASE
    int sum = in_base(place_of_entry(k / group_size)).x;
#else
    int sum = 0;
#endif
    for (int i = group_size * (k / group_size); i < k; ++i) sum += in_parts(place_of_entry(i)).x;
    return sum;
}
#endif
#ifdef DOWN
void kernel(ivec2 at) {
    int k = count_of(at, arg_log2_entries);
    out_before = k < arg_length ? ivec4(sum_before_part(k), 0, 0, 0) : ivec4(0);
}
#endif
#ifdef ROWS
// Behind the last part: the sum of all.
int sum_before(int k) {
    int last = min(k, arg_length) - 1;
    return last < 0 ? 0 : sum_before_part(last) + in_parts(place_of_entry(last)).x;
}
void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_entries);
    ivec4 made = ivec4(0);
    int sum = sum_before(first);
    for (int r = 0; r < 4; ++r) {
        made += in_lane(sum, r);
        if (first + r < arg_length) sum += in_parts(place_of_entry(first + r)).x;
    }
    out_offsets = arg_factor * made;
}
#endif
