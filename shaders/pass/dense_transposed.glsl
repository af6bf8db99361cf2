// Zone p of c <- the share of some rows in A^T x: those of the texels from p * texels on. A lies in vector zones
// (src/dense/zones.hpp); a fragment makes four columns of its share, and `dense_reduce` adds the shares up.
//
// pass dense_transposed: c <- A^T x in parts
// out: c
// in: x a
// integer: log2_width log2_columns texels tile_height count log2_zones log2_strip
// is: in_parts
void kernel(ivec2 at) {
    ivec2 t = texel_of_part(at, arg_log2_width);
    int part = part_at(at, arg_log2_width, arg_log2_zones);
    int column = 4 * ((t.y << arg_log2_width) + t.x);
    int first = part * arg_texels;
    int end = column < arg_count ? min(first + arg_texels, arg_count >> 2) : first;
    ivec2 x_corner = zone_corner(column), y_corner = zone_corner(column + 1);
    ivec2 z_corner = zone_corner(column + 2), w_corner = zone_corner(column + 3);
    vec4 sum = vec4(0.0);
    for (int k = first; k < end; ++k) {
        ivec2 t_k = place(k, arg_log2_width);
        vec4 x = in_x(t_k);
        ivec2 from = in_strips(t_k);
        sum += vec4(dot(in_a(x_corner + from), x), dot(in_a(y_corner + from), x), dot(in_a(z_corner + from), x),
                    dot(in_a(w_corner + from), x));
    }
    out_c = sum;
}
