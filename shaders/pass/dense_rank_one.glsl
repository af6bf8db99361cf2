// A <- A + alpha x y^T, for a matrix in vector zones (src/dense/zones.hpp).
//
// pass dense_rank_one: a <- a + alpha x y^T
// out: a
// in: a x y
// scalar: alpha
// integer: log2_width log2_columns tile_height length log2_strip
void kernel(ivec2 at) {
    ivec2 t = texel_at(at);
    int j = column_at(at);
    vec4 y = in_y_clamped(place(j >> 2, arg_log2_width));
    vec4 a = in_a(at);
    out_a = j < arg_length ? a + scalar_alpha * in_x(t) * component(y, j & 3) : a;
}
