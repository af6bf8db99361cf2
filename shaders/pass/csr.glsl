// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A in CSR: the entries beside the diagonal, row after row.
// `a` holds the diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp), in its first
// texels; then, from texel arg_first on, four entries a texel. `columns` holds the columns of the entries, four a texel, and
// `offsets` for each row its first entry, and behind the last row the number of entries.
// The entries of the four rows at a texel follow one another. So they are read four at a time, whichever of the rows they
// belong to, and the invocations of a team take turns: a long row among short ones keeps all of them busy.
//
// COLUMNS_16: a texel of `columns` has those of eight entries, of 16 bits each, counted from the middle of 65,536 on.
//
// REST: rows longer than most are not here but in pieces, each of which csr_rest has added up (src/formats/rest.hpp).
//
// product csr: multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field
// structure: columns:int offsets:int rests:int rest rest_low rest_size
// integer: log2_width log2_values log2_columns log2_offsets log2_rests log2_rest first length differences
// compiled: REST:flag COLUMNS_16:flag
// pass csr_rest (PARTIAL): rest <- B x, where the rows of B are pieces of the rows of A that `owners` names
//     TWO_FLOAT: rest + rest_low <- B x
//     TWO_FLOAT RESIDUAL X_LOW: the same, rest_size <- |B| |x|
//     FIELD: rest <- B x for four right-hand sides
// out: rest, rest_low if TWO_FLOAT, rest_size if RESIDUAL
// in: x, x_low if X_LOW, a, a_low if TWO_FLOAT, columns:int, offsets:int, owners:int
// integer: log2_width log2_values log2_columns log2_offsets log2_owners log2_rest first length differences, log2_field if FIELD
// compiled: COLUMNS_16:flag, A_LOW:flag if TWO_FLOAT
// is: two_float if TWO_FLOAT
// pass csr_transfer (PARTIAL TRANSFER): y <- P x, x and y of different lengths; P has no diagonal (src/formats/csr_transfer.cpp)
//     ADD: y <- y + P x
// out: y
// in: y if ADD, x a columns:int offsets:int
// integer: log2_width log2_values log2_columns log2_offsets log2_rest first length differences
// compiled: COLUMNS_16:flag

ivec4 columns_at(int e) {
    ivec4 columns = in_columns(place(COLUMNS_16 ? e >> 1 : e, arg_log2_columns));
    return COLUMNS_16 ? short_columns(columns, e, 32768) : columns;
}

#ifdef FIELD
// One row; of each of its entries four products, with four right-hand sides.
void add_entries(inout Row row, ivec4 begin, int end, number base) {
    ivec2 range = own_range(begin, end);
    for (int k = range.x + team_lane; k < range.y; k += team_size) {
        vec4 a = in_a(place(arg_first + (k >> 2), arg_log2_values));
        number x = number_in(x_of(component(columns_at(k >> 2), k & 3)));
        add_term(row, vec4(component(a, k & 3)), x, base);
    }
}
#elif defined(HAS_RUNS) && !defined(TWO_FLOAT)
// One after the other: a processor is quicker with a row's numbers than with whose they are.
int column_of(int k) {
    int both = in_columns_number(COLUMNS_16 ? (k >> 3 << 2) + (k & 3) : k);
    return COLUMNS_16 ? short_columns(ivec4(both), k >> 2, 32768).x : both;
}
float term(int k, float base) { return in_a_number(4 * arg_first + k) * (x_number(column_of(k)) - base); }
float row_sum(float sum, int begin, int end, float base) {
    float other = 0.0;  // every second term: additions need not wait for one another
    int k = begin;
    for (; k + 1 < end; k += 2) {
        sum += term(k, base);
        other += term(k + 1, base);
    }
    if (k < end) sum += term(k, base);
    return sum + other;
}
// Four rows.
void add_entries(inout Row row, ivec4 begin, int end, number base) {
    row.sum = vec4(row_sum(row.sum.x, begin.x, begin.y, base.x), row_sum(row.sum.y, begin.y, begin.z, base.y),
                   row_sum(row.sum.z, begin.z, begin.w, base.z), row_sum(row.sum.w, begin.w, end, base.w));
}
#else
// Four rows.
void add_entries(inout Row row, ivec4 begin, int end, number base) {
    int last = (end + 3) >> 2;
    for (int e = (begin.x >> 2) + team_lane; e < last; e += team_size) {
        ivec4 lane = lanes_of_four(e, begin, end);
        number x = x_elements(columns_at(e));
        number x_here = numbers_of(base, lane);
        number a = a_texel(place(arg_first + e, arg_log2_values));
        add_to_rows(row, times(a, minus(x, x_here)), lane);
        add_sizes_to_rows(row, a, x, x_here, lane);
    }
}
#endif

#ifdef PARTIAL
void kernel(ivec2 at) {
    int t = (at.y << arg_log2_rest) + at.x;
#ifdef FIELD
    t = to_row(t);
#endif
    ivec4 begin = in_offsets(place(t, arg_log2_offsets));
    ivec4 next = in_offsets(place(t + 1, arg_log2_offsets));
#ifdef TRANSFER
    number base = zero();
#else
    number base = base_of(x_elements(in_owners(place(t, arg_log2_owners))));
#endif
    Row row = empty_row();
    add_entries(row, begin, next.x, base);
    row = of_team(row);
    number sum = total(row);
#ifdef TRANSFER
    if (team_lane > 0) return;
#ifdef ADD
    sum += in_y(at);
#endif
    out_y = sum;
#elif defined(TWO_FLOAT)
    out_rest = high(sum);
    out_rest_low = low(sum);
#ifdef RESIDUAL
    out_rest_size = row.size;
#endif
#else
    out_rest = sum;
#endif
}
#else
void kernel(ivec2 at) {
    int t = rows_at(at);
    ivec4 begin = in_offsets(place(t, arg_log2_offsets));
    ivec4 next = in_offsets(place(t + 1, arg_log2_offsets));
    number here = x_at(at);
    Row row = empty_row();
    if (team_lane == 0) add_term(row, a_texel(place(t, arg_log2_values)), here, zero());
    add_entries(row, begin, next.x, base_of(here));
    if (REST) add_rests(row, t);
    store_product(at, here, padded(row, at));
}
#endif
