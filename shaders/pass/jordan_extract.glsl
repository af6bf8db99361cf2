// panel <- columns first, first + 1, ... of a matrix in vector zones, one zone below the other; zeros behind the last column.
//
// pass jordan_extract: panel <- some columns of a
// out: panel
// in: a
// integer: log2_columns tile_height length log2_strip first
void kernel(ivec2 at) {
    int j = arg_first + at.y / arg_tile_height;
    ivec2 t = ivec2(at.x, at.y % arg_tile_height);
    out_panel = j < arg_length ? in_a(zone_corner(min(j, arg_length - 1)) + in_strips(t)) : vec4(0.0);
}
