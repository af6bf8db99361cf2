// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A in ELL.
// Tile k of `a` and `columns` holds the k-th nonzero beside the diagonal of each row and its column: texel t those of rows
// 4t ... 4t + 3. A row with fewer nonzeros has zeros there, with its own number as column. Tile arg_diagonal holds the
// diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp).
//
// REST: further nonzeros, which another pass has multiplied and added up (src/formats/rest.hpp).
//
// COLUMNS_16: tile k of `columns` has those of slots 2 k and 2 k + 1, of 16 bits each, counted from row 4 t.
//
// COUNT is a constant for the usual few nonzeros a row, so that the compiler can unroll; else an argument. Where several
// steps are made (ASYNCHRONOUS), what is unrolled needs more registers than there are.
//
// product ell: multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field chebyshev_steps
// structure: columns:int rests:int rest rest_low rest_size
// integer: log2_width log2_columns count tile_height length diagonal log2_rests log2_rest differences
// compiled: REST:flag COLUMNS_16:switch
// faster: COUNT
#if !defined(COUNT) || defined(ASYNCHRONOUS)
#undef COUNT
#define COUNT arg_count
#endif

ivec4 columns_of(int k, ivec2 rows, int own) {
#ifdef COLUMNS_16  // a switch and no flag: asked in each round, it makes the host's products a seventh slower
    return short_columns(in_columns(tile_corner(k >> 1) + rows), k, own);
#else
    return in_columns(tile_corner(k) + rows);
#endif
}

void kernel(ivec2 at) {
    ivec2 rows = place_of_rows(at);
    number here = x_at(at);
    number base = base_of(here);
    int own = 4 * count_of(rows, LOG2_WIDTH);
    Row row = empty_row();
    if (team_lane == 0) add_term(row, a_texel(tile_corner(arg_diagonal) + rows), here, zero());
    for (int k = team_lane; k < COUNT; k += team_size) {
        add_term(row, a_texel(tile_corner(k) + rows), x_elements(columns_of(k, rows, own)), base);
    }
    if (REST) add_rests(row, rows_at(at));
    store_product(at, here, padded(row, at));
}
