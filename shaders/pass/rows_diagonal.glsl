// What has to be known of each row of a symmetric matrix whose row sums stand in the first texels of a, and whose entries beside the
// diagonal from texel left_first on:  a_ii = sum of the row - sum of the others.
//
// TENTATIVE: as it acts on what is t_j times as large in row j, which a scaled matrix does on what was constant: its entries times
// t_j / t_i.
//
// integer: log2_entries log2_width length left_first
// in: offsets:int a, columns:int t if TENTATIVE
//
// pass rows_diagonal (FACTS): d <- 1 / a_ii, 0 where that is not positive; bound <- the sum of |a_ij| / a_ii over the row, 1e30 there
//     TENTATIVE: of entries times t_j / t_i
// out: d bound
//
// pass rows_lumped (LUMPED): m <- omega / (a_ii + its weak entries), or omega / a_ii where these have eaten it up
//     TENTATIVE: of entries times t_j / t_i
// out: m
// in: d s:int
// constant: omega
float beside_sum(vec4 a) { return (a.x + a.y) + (a.z + a.w); }

// The entries at texel k, in row i.
vec4 weighted(vec4 a, int k, int i) {
#ifdef TENTATIVE
    ivec4 j = in_columns(place_of_entry(k));
    vec4 t_j = vec4(NUMBER(in_t, j.x, arg_log2_width), NUMBER(in_t, j.y, arg_log2_width), NUMBER(in_t, j.z, arg_log2_width),
                    NUMBER(in_t, j.w, arg_log2_width));
    return a * t_j / NUMBER(in_t, i, arg_log2_width);
#else
    return a;
#endif
}

#ifdef FACTS
void kernel(ivec2 at) {
    int texel = count_of(at, arg_log2_width);
    vec4 sums = in_a(place_of_entry(texel));
    vec4 d = vec4(0.0);
    vec4 bound = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        int i = 4 * texel + r;
        if (i < arg_length) {
            ivec2 texels = TEXELS_OF_ROW(in_offsets, i);
            float sum = 0.0;
            float sizes = 0.0;
            for (int t = texels.x; t < texels.y; ++t) {
                vec4 a = in_a(place_of_entry(arg_left_first + t));
                sum += beside_sum(a);
                sizes += beside_sum(weighted(abs(a), t, i));
            }
            float own = component(sums, r) - sum;
            bool is_positive = own > 0.0;
            d += in_lane(is_positive ? 1.0 / own : 0.0, r);
            bound += in_lane(is_positive ? 1.0 + sizes / own : 1e30, r);
        }
    }
    out_d = d;
    out_bound = bound;
}
#endif
#ifdef LUMPED
void kernel(ivec2 at) {
    int texel = count_of(at, arg_log2_width);
    vec4 d = in_d(at);
    vec4 m = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        int i = 4 * texel + r;
        if (i < arg_length) {
            ivec2 texels = TEXELS_OF_ROW(in_offsets, i);
            float own = 1.0 / component(d, r);
            float lumped = own;
            for (int t = texels.x; t < texels.y; ++t) {
                vec4 a = in_a(place_of_entry(arg_left_first + t));
                lumped += beside_sum(weighted(a * vec4(equal(in_s(place_of_entry(t)), ivec4(i))), t, i));
            }
            m += in_lane(arg_omega / (lumped > 0.0 ? lumped : own), r);
        }
    }
    out_m = m;
}
#endif
