// Sparse matrices that passes make, row after row. Each row begins with a texel of its own: four entries a texel, in ascending order
// of columns; behind the last entry of a row its column is repeated, with zeros. `offsets` counts entries, so its numbers are
// multiples of four. Where a matrix is square its diagonal stands elsewhere (src/multigrid/device_rows.hpp).
// Textures of entries, and of integers that belong to rows, are 2^arg_log2_entries texels wide.
ivec2 place_of_entry(int t) { return place(t, arg_log2_entries); }
#define INTEGER(read, i) component(read(place_of_entry((i) >> 2)), (i) & 3)
// The entries of row i of a matrix, and its texels: the first, and the one behind the last.
#define ENTRIES_OF_ROW(read, i) ivec2(INTEGER(read, i), INTEGER(read, (i) + 1))
#define TEXELS_OF_ROW(read, i) (ENTRIES_OF_ROW(read, i) >> 2)

const int root_key = 2147483647;  // of who is a root (pass/independent_set.glsl)

// In lane r, and zeros.
vec4 in_lane(float number, int r) { return mix(vec4(0.0), vec4(number), equal(ivec4(0, 1, 2, 3), ivec4(r))); }
ivec4 in_lane(int number, int r) { return number * ivec4(equal(ivec4(0, 1, 2, 3), ivec4(r))); }

// Row by row the columns are found in ascending order: each time the smallest behind the last one, among all that are offered. What
// is offered for the same column adds up. That is a merge of rows without memory of its own (after F. Gremse, A. Höfter, L. O. Schwen,
// F. Kiessling and U. Naumann, SIAM J. Sci. Comput. 37, 2015).
// TEAM: a work group makes one row; each invocation offers a share of the entries. All of them then know what was found.
#ifdef MERGES
const int no_column = 2147483647;
int last_column = -1;
int next_column = no_column;
float next_value = 0.0;

void offer(int column, float value) {
    if (column > last_column && column <= next_column) {
        next_value = column < next_column ? value : next_value + value;
        next_column = column;
    }
}
// Offers all entries of row i; and what is stored of the one that is found. (The kernel's.)
void offer_row(int i);
float stored_value(int i, int column, float value);

// A loop over entries, and one over entries of rows that these lead to: where they begin, and how far the next one is.
#ifdef TEAM
#define TEAM_SIZE TEAM
#define OUTER_SIZE (TEAM / 4)
#define INNER_SIZE 4
#define OUTER_LANE (team_lane >> 2)
#define INNER_LANE (team_lane & 3)
#define TEAM_LANE team_lane
#else
#define TEAM_SIZE 1
#define OUTER_SIZE 1
#define INNER_SIZE 1
#define OUTER_LANE 0
#define INNER_LANE 0
#define TEAM_LANE 0
#endif

#ifdef TEAM
shared int group_columns[GROUP_SIZE];
shared float group_values[GROUP_SIZE];

// What all of the team have found: the smallest column, and the sum of what was offered for it.
void join_team() {
    group_columns[team_lane] = next_column;
    group_values[team_lane] = next_value;
    memoryBarrierShared();
    barrier();
    for (int half_size = TEAM / 2; half_size > 0; half_size >>= 1) {
        if (team_lane < half_size) {
            int other = group_columns[team_lane + half_size];
            float value = group_values[team_lane + half_size];
            if (other == group_columns[team_lane]) {
                group_values[team_lane] += value;
            } else if (other < group_columns[team_lane]) {
                group_columns[team_lane] = other;
                group_values[team_lane] = value;
            }
        }
        memoryBarrierShared();
        barrier();
    }
    next_column = group_columns[0];
    next_value = group_values[0];
    barrier();  // it has been read
}
#endif

// The next column of row i; no_column: there is none.
int found_next(int i) {
    last_column = next_column;
    next_column = no_column;
    next_value = 0.0;
    offer_row(i);
#ifdef TEAM
    join_team();
#endif
    return next_column;
}
void begin_row() { next_column = -1; }

#ifdef COUNTS
// counts <- (texels of the row, its entries, 0, 0), a texel for each row
void kernel(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    int entries = 0;
    begin_row();
    if (i < arg_length) {
        while (found_next(i) != no_column) ++entries;
    }
    out_counts = ivec4((entries + 3) >> 2, entries, 0, 0);
}
#else
ivec2 range_of(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    begin_row();
    return i < arg_length ? TEXELS_OF_ROW(in_offsets, i) : ivec2(0);
}

void kernel(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    ivec4 columns = ivec4(0);
    vec4 values = vec4(0.0);
    int column = 0;
    for (int r = 0; r < 4; ++r) {
        // Behind the last one there is nothing to look for.
        int next = next_column == no_column ? no_column : found_next(i);
        if (next != no_column) {
            column = next;
            values += in_lane(stored_value(i, column, next_value), r);
        }
        columns += in_lane(column, r);
    }
    out_columns = columns;
#ifdef HAS_VALUES
    out_values = values;
#endif
}
#endif
#endif
