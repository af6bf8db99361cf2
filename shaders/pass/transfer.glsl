// y <- P x          (ADD: y <- y + P x), where x and y have layouts of their own (src/formats/transfer.hpp).
// A slice is 2^arg_log2_slice texels of y, each of them four rows; all of them have as many slots: four numbers of P with
// a column each. Slot k of a slice is 2^arg_log2_slice texels of `a` and `columns`, behind those of slot k - 1.
//     slices:   for each slice its first texel of `a` and `columns`, and its slots
// SLOTS is a constant where all slices have as many: nothing then has to be looked up.
float x_of(int column) { return component(in_x(place(column >> 2, arg_log2_x)), column & 3); }

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
    for (int k = 0; k < SLOTS; ++k) {
        ivec2 slot = place(from, arg_log2_values);
        ivec4 c = in_columns(slot);
        sum += in_a(slot) * vec4(x_of(c.x), x_of(c.y), x_of(c.z), x_of(c.w));
        from += step;
    }
#ifdef ADD
    sum += in_y(at);
#endif
    out_y = sum;
}
