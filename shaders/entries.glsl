// What kernels share whose nonzeros follow one another, row after row (behind product.glsl).

// Entries of rows that follow one another: where each of four rows begins, and where the last one ends.
#ifdef FIELD
// The first entry of the row at work, and the one behind its last.
ivec2 own_range(ivec4 begin, int end) {
    return ivec2(component(begin, row_lane), row_lane == 3 ? end : component(begin, row_lane + 1));
}
#else
// Of which row the entries 4 e ... 4 e + 3 are: 0 to 3; of none of these rows where it is -1, or 8 and more.
ivec4 lanes_of_four(int e, ivec4 begin, int end) {
    ivec4 k = ivec4(4 * e) + ivec4(0, 1, 2, 3);
    ivec4 lane = ivec4(greaterThanEqual(k, ivec4(begin.x))) + ivec4(greaterThanEqual(k, ivec4(begin.y)))
                 + ivec4(greaterThanEqual(k, ivec4(begin.z))) + ivec4(greaterThanEqual(k, ivec4(begin.w)));
    return lane + 8 * ivec4(greaterThanEqual(k, ivec4(end))) - ivec4(1);
}
#endif

// Terms of entries that follow one another: component i belongs to row lane[i] of the four; none where there is no such row.
#ifndef FIELD
number numbers_of(number v, ivec4 lane) {
#ifdef TWO_FLOAT
    vec4 hi = high(v), lo = low(v);
    return with_low(picked(hi, hi, hi, hi, lane & 3), picked(lo, lo, lo, lo, lane & 3));
#else
    return picked(v, v, v, v, lane & 3);
#endif
}
bvec4 is_row(int lane) { return equal(ivec4(lane), ivec4(0, 1, 2, 3)); }
// row[lane[i]] <- row[lane[i]] + term[i]
void add_to_rows(inout Row row, number term, ivec4 lane) {
    add(row, where(is_row(lane.x), four_times(term, 0)));
    add(row, where(is_row(lane.y), four_times(term, 1)));
    add(row, where(is_row(lane.z), four_times(term, 2)));
    add(row, where(is_row(lane.w), four_times(term, 3)));
}
void spread_sizes(inout Row row, vec4 size, ivec4 lane) {
    row.size += mix(vec4(0.0), size.xxxx, is_row(lane.x)) + mix(vec4(0.0), size.yyyy, is_row(lane.y));
    row.size += mix(vec4(0.0), size.zzzz, is_row(lane.z)) + mix(vec4(0.0), size.wwww, is_row(lane.w));
}
void add_sizes_to_rows(inout Row row, number a, number x, number base, ivec4 lane) {
#if defined(TWO_FLOAT) && defined(RESIDUAL)
    spread_sizes(row, abs(high(a)) * (abs(high(x)) + abs(high(base))), lane);
#endif
}
#endif

// REST: what an earlier pass has made of further terms. `rests` holds for each row its first number in `rest`, and behind the
// last row how many numbers there are.
#ifndef PARTIAL
void add_rests(inout Row row, int t) {
    ivec4 begin = in_rests(place(t, arg_log2_rests));
    ivec4 next = in_rests(place(t + 1, arg_log2_rests));
#ifdef FIELD
    ivec2 range = own_range(begin, next.x);
    for (int k = range.x + team_lane; k < range.y; k += team_size) add(row, in_rest(place(k, arg_log2_rest)));
#else
    int last = (next.x + 3) >> 2;
    for (int e = (begin.x >> 2) + team_lane; e < last; e += team_size) {
        ivec2 at = place(e, arg_log2_rest);
        ivec4 lane = lanes_of_four(e, begin, next.x);
#ifdef TWO_FLOAT
        add_to_rows(row, with_low(in_rest(at), in_rest_low(at)), lane);
#ifdef RESIDUAL
        spread_sizes(row, in_rest_size(at), lane);
#endif
#else
        add_to_rows(row, in_rest(at), lane);
#endif
    }
#endif
}
#endif
