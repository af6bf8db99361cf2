// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A in slices (src/formats/sliced.hpp).
// A slice is 2^arg_log2_slice texels of y, each of them four rows. All texels of a slice have as many *runs* (four numbers
// that stand on one diagonal: rows 4t ... 4t + 3 and columns c ... c + 3, of which only c is stored) and as many *singles*
// (four numbers with a column each). Where they are kept, counted in texels of `a` and `columns`: slot k of a slice is
// 2^arg_log2_slice texels, one for each of its texels, behind those of slot k - 1.
//     a:        slot 0 the diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp);
//               then the runs, then the singles
//     columns:  the first columns of the runs, four to a texel; then those of the singles
//     slices:   for each slice its first texel of `a`, its first texel of `columns`, its runs, its singles
// COLUMNS_16: of singles 2 k and 2 k + 1 a texel has both columns, of 16 bits each, counted from row 4 t on.
// RUNS and SINGLES are constants where all slices have as many: nothing then has to be looked up. Elsewhere four slots go
// into a round of a loop, so that their numbers are on their way together; LONG: sixteen, for rows so long that rounds of four
// would be too many (Mesa's llvmpipe ends all loops of a shader after 65,535). A term in two floats is long: there a round is
// one run or two singles, and loops stay loops, since compilers take seconds for more, and run out of registers.
//
// product sliced: multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field
// structure: columns:int slices:int
// integer: log2_width log2_values log2_columns log2_slices log2_slice differences length
// compiled: RUNS:switch COLUMNS_16:flag, RUNS SINGLES if RUNS
// faster: LONG

// Where the next slot is: the texel of `a` in front of it, and that of `columns` to be read next; and the first row.
struct Slot {
    int value, column, own;
};

// A run, whose first column is `first`.
void add_run(inout Row row, inout Slot slot, int step, number base, int first) {
    slot.value += step;
    add_term(row, a_texel(place(slot.value, arg_log2_values)), x_run(0, first), base);
}

void add_four_runs(inout Row row, inout Slot slot, int step, number base) {
    ivec4 first = in_columns(place(slot.column, arg_log2_columns));
    slot.column += step;
    add_run(row, slot, step, base, first.x);
    add_run(row, slot, step, base, first.y);
    add_run(row, slot, step, base, first.z);
    add_run(row, slot, step, base, first.w);
}

// The columns of single k, where those of all singles begin at texel `first`.
ivec4 columns_of(int k, int first, int step, int own) {
    ivec4 columns = in_columns(place(first + (COLUMNS_16 ? k >> 1 : k) * step, arg_log2_columns));
    return COLUMNS_16 ? short_columns(columns, k, own) : columns;
}
#define column_texels(singles) (COLUMNS_16 ? (singles) / 2 : (singles))

void add_two_singles(inout Row row, inout Slot slot, int step, number base) {
    ivec4 c = in_columns(place(slot.column, arg_log2_columns));
    ivec4 d = c;
    if (COLUMNS_16) {
        c = short_columns(c, 0, slot.own);
        d = short_columns(d, 1, slot.own);
    } else {
        d = in_columns(place(slot.column + step, arg_log2_columns));
    }
    add_term(row, a_texel(place(slot.value + step, arg_log2_values)), x_elements(c), base);
    add_term(row, a_texel(place(slot.value + 2 * step, arg_log2_values)), x_elements(d), base);
    slot.column += column_texels(2) * step;
    slot.value += 2 * step;
}

void add_four_singles(inout Row row, inout Slot slot, int step, number base) {
    add_two_singles(row, slot, step, base);
    add_two_singles(row, slot, step, base);
}

#if defined(TWO_FLOAT) && !defined(HAS_DOUBLES)
#define ONE_BY_ONE
#define kept(count) ((count) + (arg_log2_width >> 31))  // + 0, which no compiler knows: so it unrolls nothing
#endif

#ifdef TEAM  // whose invocations take turns
void add_slots(inout Row row, Slot begin, int step, number base, int runs, int singles) {
    for (int k = team_lane; k < runs; k += TEAM) {
        Slot slot = Slot(begin.value + k * step, begin.column, begin.own);
        ivec4 first = in_columns(place(begin.column + (k >> 2) * step, arg_log2_columns));
        add_run(row, slot, step, base, component(first, k & 3));
    }
    int value = begin.value + (runs + 1) * step;
    int column = begin.column + ((runs + 3) >> 2) * step;
    for (int k = team_lane; k < singles; k += TEAM) {
        ivec4 c = columns_of(k, column, step, begin.own);
        add_term(row, a_texel(place(value + k * step, arg_log2_values)), x_elements(c), base);
    }
}
#endif

#define FOUR_TIMES(f) f(row, slot, step, base); f(row, slot, step, base); f(row, slot, step, base); f(row, slot, step, base);

void kernel(ivec2 at) {
    int t = rows_at(at);
    int slice = t >> arg_log2_slice;
    int lane = t - (slice << arg_log2_slice);
    int step = 1 << arg_log2_slice;
#ifdef RUNS
    int value = slice * (1 + RUNS + SINGLES);
    int column = slice * ((RUNS + 3) / 4 + column_texels(SINGLES));
    value = (value << arg_log2_slice) + lane;
    column = (column << arg_log2_slice) + lane;
#else
    ivec4 slots = in_slices(place(slice, arg_log2_slices));
    int value = slots.x + lane;
    int column = slots.y + lane;
#define RUNS slots.z
#define SINGLES slots.w
#endif
    number here = x_at(at);
    number base = base_of(here);
    Row row = empty_row();
    if (team_lane == 0) add_term(row, a_texel(place(value, arg_log2_values)), here, zero());
    Slot slot = Slot(value, column, 4 * t);
#ifdef TEAM
    add_slots(row, slot, step, base, RUNS, SINGLES);
#else
    int k = 0;
#ifdef ONE_BY_ONE
    ivec4 first = ivec4(0);
    for (; k < kept(RUNS); ++k) {
        if ((k & 3) == 0) {
            first = in_columns(place(slot.column, arg_log2_columns));
            slot.column += step;
        }
        add_run(row, slot, step, base, first.x);
        first = first.yzwx;
    }
    for (k = 0; k < kept(SINGLES); k += 2) add_two_singles(row, slot, step, base);  // there is an even number of them
#else
#ifdef LONG
    for (; k + 16 <= RUNS; k += 16) { FOUR_TIMES(add_four_runs) }
#endif
    for (; k + 4 <= RUNS; k += 4) add_four_runs(row, slot, step, base);
    if (k < RUNS) {
        ivec4 first = in_columns(place(slot.column, arg_log2_columns));
        slot.column += step;
        for (; k < RUNS; ++k) {
            add_run(row, slot, step, base, first.x);
            first = first.yzwx;
        }
    }
    k = 0;
#ifdef LONG
    for (; k + 16 <= SINGLES; k += 16) { FOUR_TIMES(add_four_singles) }
#endif
    for (; k + 4 <= SINGLES; k += 4) add_four_singles(row, slot, step, base);
    if (k < SINGLES) add_two_singles(row, slot, step, base);
#endif
#endif
    store_product(at, here, padded(row, at));
}
