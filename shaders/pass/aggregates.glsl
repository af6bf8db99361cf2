// Who belongs to which root (shaders/pass/independent_set.glsl): first what is a step away from it, then who has such a neighbour, the
// first one in its row. As roots allow, nobody is farther away. Who has no strong neighbour belongs to none: -1.
//
// integer: log2_entries length
//
// pass root_flags (FLAGS): flags <- 1 for roots, a texel for each unknown
// out: flags:int
// in: keys:int
//
// pass aggregates_near (NEAR): aggregate <- the number of the root within a step
// out: aggregate:int
// in: keys:int numbers:int offsets:int s:int
//
// pass aggregates_far (FAR): aggregate <- nearest, or that of the first neighbour that has one
// out: aggregate:int
// in: nearest:int offsets:int s:int
#ifdef FLAGS
void kernel(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    int flag = i < arg_length && INTEGER(in_keys, min(i, arg_length - 1)) == root_key ? 1 : 0;
    out_flags = ivec4(flag, 0, 0, 0);
}
#else
#ifdef NEAR
int own_aggregate(int i) { return INTEGER(in_keys, i) == root_key ? INTEGER(in_numbers, i) : -1; }
#else
int own_aggregate(int i) { return INTEGER(in_nearest, i); }
#endif
int found_aggregate(int i) {
    int found = own_aggregate(i);
    ivec2 texels = TEXELS_OF_ROW(in_offsets, i);
    for (int t = texels.x; t < texels.y && found < 0; ++t) {
        ivec4 j = in_s(place_of_entry(t));
        found = own_aggregate(j.x);
        if (found < 0) found = own_aggregate(j.y);
        if (found < 0) found = own_aggregate(j.z);
        if (found < 0) found = own_aggregate(j.w);
    }
    return found;
}
void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_entries);
    ivec4 made = ivec4(0);
    for (int r = 0; r < 4; ++r) {
        if (first + r < arg_length) made += in_lane(found_aggregate(first + r), r);
    }
    out_aggregate = made;
}
#endif
