// Zone p of c <- the share of some columns in A x: those from p * columns on. A lies in vector zones (src/dense/zones.hpp):
// zone j of `a` is column j, texel t of it rows 4t ... 4t + 3. `dense_reduce` adds the zones of c up.
// The columns are split so that enough fragments are under way to fill a device; each makes four rows of its share.
//
// COLUMNS and STEP are constants, so that many fetches are under way at once: STEP columns, a multiple of four, stand side by
// side in the grid, and COLUMNS is a multiple of STEP. Zones behind the last column hold zeros; `count` is the number of
// columns, rounded up to a multiple of four. Without them: any number of columns, one after the other; with one column a zone this
// is the product of Xia and Wei (2009) without textureB.
//
// integer: log2_width log2_columns columns tile_height count log2_zones log2_strip differences
// compiled: A_LOW:flag if TWO_FLOAT
// faster: COLUMNS STEP LOG2_WIDTH LOG2_COLUMNS LOG2_STRIP
// pass dense_partial (PARTIAL): c <- A x in parts
//     TWO_FLOAT: c + c_low <- A x in parts
//     TWO_FLOAT RESIDUAL X_LOW: c + c_low <- A x in parts, c_size <- |A| |x|
// out: c, c_low if TWO_FLOAT, c_size if RESIDUAL
// in: x, x_low if X_LOW, a, a_low if TWO_FLOAT
// is: two_float if TWO_FLOAT, in_parts

#ifndef COLUMNS
#define COLUMNS arg_columns
#endif

void add_column(inout Row row, ivec2 from, number x) {
    number a = a_texel(from);
    add_product(row, a, x);
    add_size(row, a, x, zero());
}

void kernel(ivec2 at) {
    ivec2 t = in_strips(texel_of_part(at, LOG2_WIDTH));
    int part = part_at(at, LOG2_WIDTH, arg_log2_zones);
    int first = part * COLUMNS;
    Row row = empty_row();
#ifdef STEP
    int columns = min(COLUMNS, arg_count - first);
    for (int step = 0; step < columns; step += STEP) {
        ivec2 corner = zone_corner(first + step) + t;
        for (int k = 0; k < STEP; k += 4) {
            int j = first + step + k;
            number x = number_in(x_of(STEP == 4 ? j : min(j, arg_count - 4)));
            for (int i = 0; i < 4; ++i) add_column(row, corner + ivec2((k + i) << LOG2_STRIP, 0), four_times(x, i));
        }
    }
#else
    int end = min(first + COLUMNS, arg_count);
    for (int j = first; j < end; ++j) add_column(row, zone_corner(j) + t, four_times(number_in(x_of(j)), j & 3));
#endif
    number sum = total(row);
#ifdef TWO_FLOAT
    out_c = high(sum);
    out_c_low = low(sum);
#ifdef RESIDUAL
    out_c_size = row.size;
#endif
#else
    out_c = sum;
#endif
}
