// The unknowns of each aggregate, in ascending order: the root, and those of its neighbours and theirs that belong to it. `numbers`
// holds for each unknown how many roots there are before it.
//
// pass members (MERGES): columns <- the unknowns of each aggregate
//     COUNTS: counts <- how many there are
// out: columns:int if not COUNTS, counts:int if COUNTS
// in: rows:int offsets:int if not COUNTS, numbers:int aggregate:int s_offsets:int s:int
// integer: log2_entries length unknowns
// over: ranges if not COUNTS
int root_of(int aggregate) {
    int low = 0;  // numbers[low] <= aggregate < numbers[high]
    int high = arg_unknowns;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (INTEGER(in_numbers, middle) <= aggregate) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void offer_member(int k, int aggregate) {
    if (INTEGER(in_aggregate, k) == aggregate) offer(k, 0.0);
}

void offer_around(int j, int aggregate) {
    offer_member(j, aggregate);
    ivec2 texels = TEXELS_OF_ROW(in_s_offsets, j);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 k = in_s(place_of_entry(t));
        offer_member(k.x, aggregate);
        offer_member(k.y, aggregate);
        offer_member(k.z, aggregate);
        offer_member(k.w, aggregate);
    }
}

void offer_row(int i) {
    int root = root_of(i);
    ivec2 texels = TEXELS_OF_ROW(in_s_offsets, root);
    for (int t = texels.x; t < texels.y; ++t) {
        ivec4 j = in_s(place_of_entry(t));
        offer_around(j.x, i);
        offer_around(j.y, i);
        offer_around(j.z, i);
        offer_around(j.w, i);
    }
}

float stored_value(int i, int column, float value) { return value; }
