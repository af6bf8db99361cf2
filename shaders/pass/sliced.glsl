// y <- A x          (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x), with A in slices (src/formats/sliced.hpp).
// A slice is 2^arg_log2_slice texels of y, each of them four rows. All texels of a slice have as many *runs* (four numbers
// that stand on one diagonal: rows 4t ... 4t + 3 and columns c ... c + 3, of which only c is stored) and as many *singles*
// (four numbers with a column each). Where they are kept, counted in texels of `a` and `columns`: slot k of a slice is
// 2^arg_log2_slice texels, one for each of its texels, behind those of slot k - 1.
//     a:        slot 0 the diagonal, or the row sums when the others multiply differences (src/formats/diagonal_part.hpp);
//               then the runs, then the singles
//     columns:  the first columns of the runs, four to a texel; then those of the singles
//     slices:   for each slice its first texel of `a`, its first texel of `columns`, its runs, its singles
// RUNS and SINGLES are constants where all slices have as many: nothing then has to be looked up.

// Texel `texel` of a texture 2^log2_width texels wide.
ivec2 place(int texel, int log2_width) { return ivec2(texel & ((1 << log2_width) - 1), texel >> log2_width); }

void kernel(ivec2 at) {
    int t = (at.y << LOG2_WIDTH) + at.x;
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
    ivec4 first = ivec4(0);
    for (int k = 0; k < RUNS; ++k) {
        if ((k & 3) == 0) {
            first = in_columns(place(column, arg_log2_columns));
            column += step;
        }
        value += step;
        add_term(row, a_texel(place(value, arg_log2_values)), x_run(0, first.x), base);
        first = first.yzwx;
    }
    for (int k = 0; k < SINGLES; k += 2) {  // two at a time: more fetches are under way
        ivec4 c = in_columns(place(column, arg_log2_columns));
        ivec4 d = in_columns(place(column + step, arg_log2_columns));
        add_term(row, a_texel(place(value + step, arg_log2_values)), x_elements(c), base);
        add_term(row, a_texel(place(value + 2 * step, arg_log2_values)), x_elements(d), base);
        column += 2 * step;
        value += 2 * step;
    }
    store_product(at, here, row);
}
