// Sparse matrices that passes make, row after row. Each row begins with a texel of its own: four entries a texel, in ascending order
// of columns; behind the last entry of a row its column is repeated, with zeros. `offsets` counts entries, so its numbers are
// multiples of four. Where a matrix is square its diagonal stands elsewhere (src/multigrid/device_rows.hpp).
// Textures of entries, and of integers that belong to rows, are 2^arg_log2_entries texels wide.
ivec2 place_of_entry(int t) { return place(t, arg_log2_entries); }
#define INTEGER(read, i) component(read(place_of_entry((i) >> 2)), (i) & 3)
// The texels of row i of a matrix: the first, and the one behind the last.
#define TEXELS_OF_ROW(read, i) (ivec2(INTEGER(read, i), INTEGER(read, (i) + 1)) >> 2)

// In lane r, and zeros.
vec4 in_lane(float number, int r) { return mix(vec4(0.0), vec4(number), equal(ivec4(0, 1, 2, 3), ivec4(r))); }
ivec4 in_lane(int number, int r) { return number * ivec4(equal(ivec4(0, 1, 2, 3), ivec4(r))); }

// Row by row the columns are found in ascending order: each time the smallest behind the last one, among all that are offered. What
// is offered for the same column adds up. That is a merge of rows without memory of its own (after F. Gremse, A. Höfter, L. O. Schwen,
// F. Kiessling and U. Naumann, SIAM J. Sci. Comput. 37, 2015).
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

// The next column of row i; no_column: there is none.
int found_next(int i) {
    last_column = next_column;
    next_column = no_column;
    offer_row(i);
    return next_column;
}
void begin_row() { next_column = -1; }

#ifdef COUNTS
// counts <- (texels of the row, the same, its entries, 0), a texel for each row
void kernel(ivec2 at) {
    int i = count_of(at, arg_log2_entries);
    int entries = 0;
    begin_row();
    if (i < arg_length) {
        while (found_next(i) != no_column) ++entries;
    }
    int texels = (entries + 3) >> 2;
    out_counts = ivec4(texels, texels, entries, 0);
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
        int next = found_next(i);
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
