// Norms of the blocks of A, and what has to be known of its rows.
//
// in: offsets:int columns:int blocks
// integer: log2_entries log2_width length side
//
// pass block_norms (NORMS): norms <- the root of the sum of squares of each block
// out: norms
//
// pass block_diagonal (OWN): d <- 1 / that of the block on the diagonal
// out: d
//
// pass block_facts (FACTS): d <- 1 / a_ii, 0 where that is not positive; bound <- the sum of |a_ij| / a_ii over the row, 1e30 there
// out: d bound
float norm_of_block(int e) {
    int texels = arg_side * texels_of(arg_side);
    float sum = 0.0;
    for (int t = 0; t < texels; ++t) {
        vec4 a = in_blocks(place_of_entry(e * texels + t));
        sum += dot(a, a);
    }
    return sqrt(sum);
}

// The entry on the diagonal of row i.
int own_entry(int i) {
    ivec2 texels = TEXELS_OF_ROW(in_offsets, i);
    int e = -1;
    for (int t = texels.x; t < texels.y && e < 0; ++t) e = entry_of_four(in_columns(place_of_entry(t)), i, t);
    return e;
}

#ifdef NORMS
void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_entries);
    vec4 norms = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        if (first + r < arg_length) norms += in_lane(norm_of_block(first + r), r);
    }
    out_norms = norms;
}
#endif
#ifdef OWN
void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_width);
    vec4 d = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        if (first + r < arg_length) {
            int own = own_entry(first + r);
            float norm = own < 0 ? 0.0 : norm_of_block(own);
            d += in_lane(norm > 0.0 ? 1.0 / norm : 0.0, r);
        }
    }
    out_d = d;
}
#endif
#ifdef FACTS
void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_width);
    vec4 d = vec4(0.0);
    vec4 bound = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        int i = first + r;
        if (i < arg_length) {
            int point = i / arg_side;
            int row = i - point * arg_side;
            ivec2 entries = ENTRIES_OF_ROW(in_offsets, point);
            float sizes = 0.0;
            for (int e = entries.x; e < entries.y; ++e) {
                for (int w = 0; w < texels_of(arg_side); ++w)
                    sizes += dot(abs(BLOCK_TEXEL(in_blocks, e, row, w, arg_side, arg_side)), vec4(1.0));
            }
            int own = own_entry(point);
            float a = own < 0 ? 0.0 : BLOCK_NUMBER(in_blocks, own, row, row, arg_side, arg_side);
            d += in_lane(a > 0.0 ? 1.0 / a : 0.0, r);
            bound += in_lane(a > 0.0 ? sizes / a : 1e30, r);
        }
    }
    out_d = d;
    out_bound = bound;
}
#endif
