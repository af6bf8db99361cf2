// Roots of aggregates: of the unknowns within two strong steps of one another at most one, and as many as that allows. Each has a
// random key; whoever has the largest key around becomes a root, and those around it are out (M. Luby, SIAM J. Comput. 15, 1986; for
// two steps: N. Bell, S. Dalton and L. N. Olson, SIAM J. Sci. Comput. 34, 2012). src/amg/independent_roots.cpp does the same.
//
// integer: log2_entries length
// in: offsets:int s:int
//
// pass independent_keys (KEYS): keys <- random numbers, no two alike; 0: out, since nothing is strong
// out: keys:int
// integer: bits
//
// pass independent_reach (REACH): reached <- the largest key within a step
// out: reached:int
// in: keys:int
//
// pass independent_decide (DECIDE): keys <- root, out or what they are, sum <- how many are undecided
// out: keys:int sum
// in: keys:int reached:int
// Numbers below 2^bits go to one another: each step can be undone.
int random_key(int i, int bits) {
    uint mask = (1u << uint(bits)) - 1u;
    uint shift = uint((bits + 1) / 2);
    uint h = uint(i);
    h = ((h ^ (h >> shift)) * 0x85ebca6bu) & mask;
    h = ((h ^ (h >> shift)) * 0xc2b2ae35u) & mask;
    return int(h ^ (h >> shift)) + 1;
}

#ifdef KEYS
int made_of(int i) {
    ivec2 texels = TEXELS_OF_ROW(in_offsets, i);
    for (int t = texels.x; t < texels.y; ++t) {
        if (any(notEqual(in_s(place_of_entry(t)), ivec4(i)))) return random_key(i, arg_bits);
    }
    return 0;
}
#endif

// The largest number within a step.
#ifdef REACH
#define in_around in_keys
#endif
#ifdef DECIDE
#define in_around in_reached
#endif
#ifndef KEYS
int largest_around(int i) {
    ivec2 texels = TEXELS_OF_ROW(in_offsets, i);
    int most = INTEGER(in_around, i);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 j = in_s(place_of_entry(t));
        most = max(max(most, max(INTEGER(in_around, j.x), INTEGER(in_around, j.y))),
                   max(INTEGER(in_around, j.z), INTEGER(in_around, j.w)));
    }
    return most;
}
#endif
#ifdef REACH
int made_of(int i) { return largest_around(i); }
#endif
#ifdef DECIDE
int made_of(int i) {
    int own = INTEGER(in_keys, i);
    if (own == root_key || own == 0) return own;
    int most = largest_around(i);
    return most == root_key ? 0 : most == own ? root_key : own;
}
#endif

void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_entries);
    ivec4 made = ivec4(0);
    for (int r = 0; r < 4; ++r) {
        if (first + r < arg_length) made += in_lane(made_of(first + r), r);
    }
#ifdef KEYS
    out_keys = made;
#endif
#ifdef REACH
    out_reached = made;
#endif
#ifdef DECIDE
    out_keys = made;
    out_sum = vec4(notEqual(made, ivec4(0))) * vec4(notEqual(made, ivec4(root_key)));
#endif
}
