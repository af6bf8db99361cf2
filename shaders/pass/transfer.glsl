// y <- P x          (ADD: y <- y + P x), where x and y have layouts of their own (src/formats/transfer.hpp).
// A slice is 2^arg_log2_slice texels of y, each of them four rows; all of them have as many slots: four numbers of P with
// a column each. Slot k of a slice is 2^arg_log2_slice texels of `a` and `columns`, behind those of slot k - 1.
//     slices:   for each slice its first texel of `a` and `columns`, and its slots
// SLOTS is a constant where all slices have as many: nothing then has to be looked up.
//
// pass transfer: y <- P x, x and y of different lengths
//     ADD: y <- y + P x
// out: y
// in: y if ADD, x a columns:int slices:int
// integer: log2_width log2_x log2_values log2_slice log2_slices
// compiled: SLOTS:switch, SLOTS if SLOTS
float x_of(int column) { return component(in_x(place(column >> 2, arg_log2_x)), column & 3); }

// What slot `from` adds to four rows.
vec4 term(int from) {
    ivec2 slot = place(from, arg_log2_values);
    ivec4 c = in_columns(slot);
    return in_a(slot) * vec4(x_of(c.x), x_of(c.y), x_of(c.z), x_of(c.w));
}

void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int slice = t >> arg_log2_slice;
    int from = t - (slice << arg_log2_slice);
    int step = 1 << arg_log2_slice;
#ifdef SLOTS
    from += slice * SLOTS * step;
#else
    ivec4 found = in_slices(place(slice, arg_log2_slices));
    from += found.x;
#define SLOTS found.y
#endif
    vec4 sum = vec4(0.0);
    int k = 0;
    for (; k + 4 <= SLOTS; k += 4) {  // four at a time: their numbers are on their way together
        sum += (term(from) + term(from + step)) + (term(from + 2 * step) + term(from + 3 * step));
        from += 4 * step;
    }
    for (; k < SLOTS; ++k) {
        sum += term(from);
        from += step;
    }
#ifdef ADD
    sum += in_y(at);
#endif
    out_y = sum;
}
