// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A in blocks of BLOCK_ROWS x BLOCK_COLUMNS numbers:
// 2 x 2, 3 x 3, 4 x 4, 4 x 2 or 4 x 1. The four rows at a texel belong to two rows of blocks at most; with four rows a block,
// to one. So a slot of a texel has a block of each row of blocks. It takes a texel of values for each column of the blocks.
// All rows of a block share its numbers of x, and its first column.
//     a:        first the diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp);
//               from texel arg_first on, for each texel of rows, and for each column of a block, the values of all slots
//     columns:  for each slot the first column of its blocks: one number, or two
//     offsets:  for each texel of rows its first slot, and behind the last texel the number of slots
//
// product bcsr: multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field
// structure: columns:int offsets:int
// integer: log2_width log2_values log2_columns log2_offsets first length differences
// compiled: BLOCK_ROWS BLOCK_COLUMNS

int first_slot(int t) { return component(in_offsets(place(t >> 2, arg_log2_offsets)), t & 3); }

// Where the two blocks of a slot begin.
ivec2 first_columns(int slot) {
    if (BLOCK_ROWS == 4) {
        ivec4 four = in_columns(place(slot >> 2, arg_log2_columns));
        return ivec2(component(four, slot & 3));
    }
    ivec4 two = in_columns(place(slot >> 1, arg_log2_columns));
    int i = (slot & 1) << 1;
    return ivec2(component(two, i), component(two, i + 1));
}

// Of rows 4 t ... 4 t + 3 those from this one on belong to the second row of blocks.
int second_from(int t) { return BLOCK_ROWS - (4 * t) % BLOCK_ROWS; }

#ifdef FIELD
// One row of a block.
void add_block(inout Row row, ivec2 first, int second, int value, int count, number base) {
    int column = row_lane < second ? first.x : first.y;
    for (int c = 0; c < BLOCK_COLUMNS; ++c) {
        add_term(row, a_texel(place(value, arg_log2_values)), x_texel(column, c), base);
        value += count;
    }
}
#else
// The numbers of x that a block multiplies, from column `first` on; behind them others.
number x_of_block(int first) {
    if (BLOCK_COLUMNS == 3) return x_run(0, first);
    Stored x = x_of(first);
    if (BLOCK_COLUMNS == 4) return number_in(x);
#ifdef TWO_FLOAT
    return number_in(stored(shifted(x.hi, x.hi, first & 3), shifted(x.lo, x.lo, first & 3)));
#else
    return shifted(x, x, first & 3);
#endif
}

// Component i of x, or of y for the rows of the second block.
number four_of(number x, number y, int i, bvec4 is_second) {
#ifdef TWO_FLOAT
    vec4 hi = mix(vec4(component(high(x), i)), vec4(component(high(y), i)), is_second);
    vec4 lo = mix(vec4(component(low(x), i)), vec4(component(low(y), i)), is_second);
    return with_low(hi, lo);
#else
    return mix(vec4(component(x, i)), vec4(component(y, i)), is_second);
#endif
}

void add_block(inout Row row, ivec2 first, int second, int value, int count, number base) {
    bvec4 is_second = greaterThanEqual(ivec4(0, 1, 2, 3), ivec4(second));
    number x = x_of_block(first.x);
    number y = x;
    if (BLOCK_ROWS < 4) y = x_of_block(first.y);
    for (int c = 0; c < BLOCK_COLUMNS; ++c) {
        add_term(row, a_texel(place(value, arg_log2_values)), four_of(x, y, c, is_second), base);
        value += count;
    }
}
#endif

void kernel(ivec2 at) {
    int t = rows_at(at);
    int begin = first_slot(t);
    int count = first_slot(t + 1) - begin;
    int values = arg_first + BLOCK_COLUMNS * begin;
    int second = second_from(t);
    number here = x_at(at);
    number base = base_of(here);
    Row row = empty_row();
    if (team_lane == 0) add_term(row, a_texel(place(t, arg_log2_values)), here, zero());
    int k = team_lane;
#if !defined(TWO_FLOAT) || defined(HAS_DOUBLES)  // two slots a round: so twice as many fetches are under way
    for (; k + team_size < count; k += 2 * team_size) {
        ivec2 first = first_columns(begin + k);
        ivec2 next = first_columns(begin + k + team_size);
        add_block(row, first, second, values + k, count, base);
        add_block(row, next, second, values + k + team_size, count, base);
    }
#endif
    for (; k < count; k += team_size) add_block(row, first_columns(begin + k), second, values + k, count, base);
    store_product(at, here, padded(row, at));
}
