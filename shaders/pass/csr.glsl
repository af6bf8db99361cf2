// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A in CSR: the entries beside the diagonal, row after row.
// `a` holds the diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp), in its first
// texels; then, from texel arg_first on, four entries a texel. `columns` holds the columns of the entries, four a texel, and
// `offsets` for each row its first entry, and behind the last row the number of entries.
// The entries of the four rows at a texel follow one another. So they are read four at a time, whichever of the rows they
// belong to, and the invocations of a team take turns: a long row among short ones keeps all of them busy.
//
// product csr: multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field chebyshev_chaotic
// structure: columns:int offsets:int
// integer: log2_width log2_values log2_columns log2_offsets first length differences

ivec4 columns_at(int e) { return in_columns(place(e, arg_log2_columns)); }

#ifdef FIELD
// One row; of each of its entries four products, with four right-hand sides.
void add_entries(inout Row row, ivec4 begin, int end, number base) {
    int last = row_lane == 3 ? end : component(begin, row_lane + 1);
    for (int k = component(begin, row_lane) + team_lane; k < last; k += team_size) {
        vec4 a = in_a(place(arg_first + (k >> 2), arg_log2_values));
        number x = number_in(x_of(component(columns_at(k >> 2), k & 3)));
        add_term(row, vec4(component(a, k & 3)), x, base);
    }
}
#else
// Four rows. Entry k is one of row lane(k): the first of them that ends behind it; -1, and numbers from 8 on, are rows of other texels.
void add_entries(inout Row row, ivec4 begin, int end, number base) {
    int last = (end + 3) >> 2;
    for (int e = (begin.x >> 2) + team_lane; e < last; e += team_size) {
        ivec4 k = ivec4(4 * e) + ivec4(0, 1, 2, 3);
        ivec4 lane = ivec4(greaterThanEqual(k, ivec4(begin.x))) + ivec4(greaterThanEqual(k, ivec4(begin.y)))
                     + ivec4(greaterThanEqual(k, ivec4(begin.z))) + ivec4(greaterThanEqual(k, ivec4(begin.w))) - ivec4(1);
        lane += 8 * ivec4(greaterThanEqual(k, ivec4(end)));
        number x = x_elements(columns_at(e));
        number x_here = numbers_of(base, lane);
        number a = a_texel(place(arg_first + e, arg_log2_values));
        add_to_rows(row, times(a, minus(x, x_here)), lane);
        add_sizes_to_rows(row, a, x, x_here, lane);
    }
}
#endif

void kernel(ivec2 at) {
    int t = rows_at(at);
    ivec4 begin = in_offsets(place(t, arg_log2_offsets));
    ivec4 next = in_offsets(place(t + 1, arg_log2_offsets));
    number here = x_at(at);
    Row row = empty_row();
    if (team_lane == 0) add_term(row, a_texel(place(t, arg_log2_values)), here, zero());
    add_entries(row, begin, next.x, base_of(here));
    store_product(at, here, padded(row, at));
}
