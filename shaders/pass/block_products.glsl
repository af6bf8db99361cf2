// The numbers of P, A P and P^T A P, block by block; the patterns are known (shaders/pass/rows_product.glsl).
//
// out: made
// in: points:int offsets:int columns:int
// integer: log2_entries entries side wide
//
// pass block_prolongation (PROLONGATION): made <- P = (I - omega D^-1 A) T
// in: aggregate:int a_offsets:int a_columns:int a d tentative
// integer: log2_width
// constant: omega
//
// pass block_product (FINDS_IN_P PRODUCT): made <- A P
// in: a_offsets:int a_columns:int a p_offsets:int p_columns:int p
//
// pass block_galerkin (FINDS_IN_P FINDS_IN_AP GALERKIN): made <- P^T (A P)
// in: pt_offsets:int pt_columns:int p_offsets:int p_columns:int p ap_offsets:int ap_columns:int ap

// What a texel is made of: texel `w` of row `r` of the block that couples points i and k.
#ifdef PROLONGATION
#define MADE_ROWS arg_side
// Texel w of the row of T of an unknown; `tentative` holds them one after the other.
vec4 row_of_T(int unknown, int w) { return in_tentative(place_of_entry(unknown * texels_of(arg_wide) + w)); }

vec4 numbers(int i, int k, int r, int w) {
    ivec2 entries = ENTRIES_OF_ROW(in_a_offsets, i);
    vec4 sum = vec4(0.0);
    for (int f = entries.x; f < entries.y; ++f) {
        int j = INTEGER(in_a_columns, f);
        if (INTEGER(in_aggregate, j) == k) {
            for (int m = 0; m < arg_side; ++m)
                sum += BLOCK_NUMBER(in_a, f, r, m, arg_side, arg_side) * row_of_T(j * arg_side + m, w);
        }
    }
    int unknown = i * arg_side + r;
    vec4 own = INTEGER(in_aggregate, i) == k ? row_of_T(unknown, w) : vec4(0.0);
    return own - arg_omega * NUMBER(in_d, unknown, arg_log2_width) * sum;
}
#endif
#ifdef PRODUCT
#define MADE_ROWS arg_side
vec4 numbers(int i, int k, int r, int w) {
    ivec2 entries = ENTRIES_OF_ROW(in_a_offsets, i);
    vec4 sum = vec4(0.0);
    for (int f = entries.x; f < entries.y; ++f) {
        int g = entry_of_p(INTEGER(in_a_columns, f), k);
        if (g >= 0) {
            for (int m = 0; m < arg_side; ++m)
                sum += BLOCK_NUMBER(in_a, f, r, m, arg_side, arg_side) * BLOCK_TEXEL(in_p, g, m, w, arg_side, arg_wide);
        }
    }
    return sum;
}
#endif
#ifdef GALERKIN
#define MADE_ROWS arg_wide
vec4 numbers(int i, int k, int r, int w) {
    ivec2 entries = ENTRIES_OF_ROW(in_pt_offsets, i);
    vec4 sum = vec4(0.0);
    int before = -1;
    for (int f = entries.x; f < entries.y; ++f) {
        int j = INTEGER(in_pt_columns, f);
        int h = j == before ? -1 : entry_of_ap(j, k);  // behind the last entry its column is repeated
        before = j;
        int g = h < 0 ? -1 : entry_of_p(j, i);
        if (g >= 0) {
            for (int m = 0; m < arg_side; ++m)
                sum += BLOCK_NUMBER(in_p, g, m, r, arg_side, arg_wide) * BLOCK_TEXEL(in_ap, h, m, w, arg_side, arg_wide);
        }
    }
    return sum;
}
#endif

// Does the entry repeat the column of the one before?
bool repeats(int e, int i) {
    return e > INTEGER(in_offsets, i) && INTEGER(in_columns, e) == INTEGER(in_columns, e - 1);
}

void kernel(ivec2 at) {
    int t = count_of(at, arg_log2_entries);
    int a_row = texels_of(arg_wide);
    int e = divided(t, a_row * MADE_ROWS);
    int rest = t - e * a_row * MADE_ROWS;
    int r = rest / a_row;
    out_made = vec4(0.0);
    if (e < arg_entries) {
        int i = in_points(place_of_entry(e >> 2)).x;
        if (!repeats(e, i)) out_made = numbers(i, INTEGER(in_columns, e), r, rest - r * a_row);
    }
}
