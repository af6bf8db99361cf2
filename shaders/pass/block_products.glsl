// The numbers of P, A P and P^T A P, block by block; the patterns are known (shaders/pass/rows_product.glsl).
//
// in: points:int offsets:int columns:int
// integer: log2_entries entries side wide
//
// pass block_prolongation (MAKES_BLOCKS PROLONGATION): p <- (I - omega D^-1 A) T
// out: p
// in: aggregate:int a_offsets:int a_columns:int a d tentative
// integer: log2_width
// constant: omega
//
// pass block_product (MAKES_BLOCKS FINDS_IN_P PRODUCT): ap <- A P
// out: ap
// in: a_offsets:int a_columns:int a p_offsets:int p_columns:int p
//
// pass block_galerkin (MAKES_BLOCKS FINDS_IN_P FINDS_IN_AP GALERKIN): coarse <- P^T (A P)
// out: coarse
// in: pt_offsets:int pt_columns:int p_offsets:int p_columns:int p ap_offsets:int ap_columns:int ap
#ifdef PROLONGATION
// Texel w of the row of T of an unknown; `tentative` holds them one after the other.
vec4 row_of_T(int i, int w) { return in_tentative(place_of_entry(i * texels_of(arg_wide) + w)); }

vec4 made() {
    int k = INTEGER(in_columns, made_entry);
    ivec2 entries = ENTRIES_OF_ROW(in_a_offsets, made_point);
    vec4 sum = vec4(0.0);
    for (int f = entries.x; f < entries.y; ++f) {
        int q = INTEGER(in_a_columns, f);
        if (INTEGER(in_aggregate, q) == k) {
            for (int m = 0; m < arg_side; ++m)
                sum += BLOCK_NUMBER(in_a, f, made_row, m, arg_side, arg_side) * row_of_T(q * arg_side + m, made_texel);
        }
    }
    int i = made_point * arg_side + made_row;
    vec4 own = INTEGER(in_aggregate, made_point) == k ? row_of_T(i, made_texel) : vec4(0.0);
    return own - arg_omega * NUMBER(in_d, i, arg_log2_width) * sum;
}
void kernel(ivec2 at) {
    find_made(count_of(at, arg_log2_entries), arg_side, arg_wide);
    out_p = vec4(0.0);
    if (made_point >= 0) out_p = made();
}
#endif
#ifdef PRODUCT
vec4 made() {
    int k = INTEGER(in_columns, made_entry);
    ivec2 entries = ENTRIES_OF_ROW(in_a_offsets, made_point);
    vec4 sum = vec4(0.0);
    for (int f = entries.x; f < entries.y; ++f) {
        int g = entry_of_p(INTEGER(in_a_columns, f), k);
        if (g >= 0) {
            for (int m = 0; m < arg_side; ++m)
                sum += BLOCK_NUMBER(in_a, f, made_row, m, arg_side, arg_side)
                       * BLOCK_TEXEL(in_p, g, m, made_texel, arg_side, arg_wide);
        }
    }
    return sum;
}
void kernel(ivec2 at) {
    find_made(count_of(at, arg_log2_entries), arg_side, arg_wide);
    out_ap = vec4(0.0);
    if (made_point >= 0) out_ap = made();
}
#endif
#ifdef GALERKIN
vec4 made() {
    int k = INTEGER(in_columns, made_entry);
    ivec2 entries = ENTRIES_OF_ROW(in_pt_offsets, made_point);
    vec4 sum = vec4(0.0);
    int before = -1;
    for (int f = entries.x; f < entries.y; ++f) {
        int q = INTEGER(in_pt_columns, f);
        int h = q == before ? -1 : entry_of_ap(q, k);  // behind the last entry its column is repeated
        before = q;
        int g = h < 0 ? -1 : entry_of_p(q, made_point);
        if (g >= 0) {
            for (int m = 0; m < arg_side; ++m)
                sum += BLOCK_NUMBER(in_p, g, m, made_row, arg_side, arg_wide)
                       * BLOCK_TEXEL(in_ap, h, m, made_texel, arg_side, arg_wide);
        }
    }
    return sum;
}
void kernel(ivec2 at) {
    find_made(count_of(at, arg_log2_entries), arg_wide, arg_wide);
    out_coarse = vec4(0.0);
    if (made_point >= 0) out_coarse = made();
}
#endif
