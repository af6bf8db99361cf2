// The first vector zone <- the sum of all zones of `a` (Xia and Wei 2009, section 3.1): the end of every product with a
// dense matrix. y <- that sum, which is A x (DOT: and sum <- x * y;  RESIDUAL: y <- b - A x).
//
// product dense_reduce: multiply=dense_reduce multiply_dot=dense_reduce_dot residual multiply_two_float=dense_reduce_two_float residual_two_float relax chebyshev chebyshev_norms multiply_dots
// structure: size
// integer: log2_width log2_columns count tile_height length differences
void add_zone(inout Row row, int k, ivec2 at) {
    ivec2 from = tile_corner(k) + at;
    add(row, a_texel(from));
#if defined(TWO_FLOAT) && defined(RESIDUAL)
    row.size += in_size(from);
#endif
}

void kernel(ivec2 at) {
    Row row = empty_row();
    int k = 0;
    for (; k + 8 <= arg_count; k += 8) {  // a constant number of zones, so that many fetches are under way at once
        for (int i = 0; i < 8; ++i) add_zone(row, k + i, at);
    }
    for (; k < arg_count; ++k) add_zone(row, k, at);
    store_product(at, x_at(at), row);
}
