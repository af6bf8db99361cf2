// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A in slices (src/formats/sliced.hpp).
// A slice is 2^arg_log2_slice texels of y, each of them four rows. All texels of a slice have as many *runs* (four numbers
// that stand on one diagonal: rows 4t ... 4t + 3 and columns c ... c + 3, of which only c is stored) and as many *singles*
// (four numbers with a column each). Where they are kept, counted in texels of `a` and `columns`: slot k of a slice is
// 2^arg_log2_slice texels, one for each of its texels, behind those of slot k - 1.
//     a:        slot 0 the diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp);
//               then the runs, then the singles
//     columns:  the first columns of the runs, four to a texel; then those of the singles
//     slices:   for each slice its first texel of `a`, its first texel of `columns`, its runs, its singles
// RUNS and SINGLES are constants where all slices have as many: nothing then has to be looked up. LONG: rows are so long that
// several slots go into a round of a loop, since Mesa's llvmpipe ends all loops of a shader after 65,535 rounds.

#ifdef LONG
#define SLOTS_A_ROUND 16
#define EACH_SLOT(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#else
#define SLOTS_A_ROUND 1
#define EACH_SLOT(f) f(0)
#endif

// Where the slot at hand is: its texels of `a` and `columns`, and the columns of this run and the next three.
struct Slot {
    int value, column;
    ivec4 first;
};

void add_run(inout Row row, inout Slot slot, int step, number base, int k) {
    if ((k & 3) == 0) {
        slot.first = in_columns(place(slot.column, arg_log2_columns));
        slot.column += step;
    }
    slot.value += step;
    add_term(row, a_texel(place(slot.value, arg_log2_values)), x_run(0, slot.first.x), base);
    slot.first = slot.first.yzwx;
}

void add_singles(inout Row row, inout Slot slot, int step, number base) {
    ivec4 c = in_columns(place(slot.column, arg_log2_columns));
    ivec4 d = in_columns(place(slot.column + step, arg_log2_columns));
    add_term(row, a_texel(place(slot.value + step, arg_log2_values)), x_elements(c), base);
    add_term(row, a_texel(place(slot.value + 2 * step, arg_log2_values)), x_elements(d), base);
    slot.column += 2 * step;
    slot.value += 2 * step;
}

void kernel(ivec2 at) {
    int t = rows_at(at);
    int slice = t >> arg_log2_slice;
    int lane = t - (slice << arg_log2_slice);
    int step = 1 << arg_log2_slice;
#ifdef RUNS
    int value = slice * (1 + RUNS + SINGLES);
    int column = slice * ((RUNS + 3) / 4 + SINGLES);
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
    add_term(row, a_texel(place(value, arg_log2_values)), here, zero());
    Slot slot = Slot(value, column, ivec4(0));
    for (int k = 0; k < RUNS; k += SLOTS_A_ROUND) {
#define RUN(i) if (i == 0 || k + i < RUNS) add_run(row, slot, step, base, k + i);
        EACH_SLOT(RUN)
    }
    for (int k = 0; k < SINGLES; k += 2 * SLOTS_A_ROUND) {  // two at a time: more fetches are under way
#define PAIR(i) if (i == 0 || k + 2 * i < SINGLES) add_singles(row, slot, step, base);
        EACH_SLOT(PAIR)
    }
    store_product(at, here, padded(row, at));
}
