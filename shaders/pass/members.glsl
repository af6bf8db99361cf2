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

void offer_row(int i) {
    int root = root_of(i);
    ivec2 of_root = ENTRIES_OF_ROW(in_s_offsets, root);
    for (int e = of_root.x + OUTER_LANE; e < of_root.y; e += OUTER_SIZE) {
        int j = INTEGER(in_s, e);
        offer_member(j, i);
        ivec2 of_j = ENTRIES_OF_ROW(in_s_offsets, j);
        for (int f = of_j.x + INNER_LANE; f < of_j.y && j != root; f += INNER_SIZE) offer_member(INTEGER(in_s, f), i);
    }
    if (TEAM_LANE == 0) offer_member(root, i);
}

float stored_value(int i, int column, float value) { return value; }
