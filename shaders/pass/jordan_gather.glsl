// rows <- the rows of the panel's pivots, before they change: texel j of group g holds the numbers of column j in the rows of
// pivots 4g ... 4g + 3 of this panel. Texel k of `pivots`: (|value|, 4 x + component, y, 1) of step k.
//
// pass jordan_gather: rows <- the rows of a panel's pivots
// out: rows
// in: a pivots
// integer: log2_columns tile_height length log2_strip first count log2_field field_height
void kernel(ivec2 at) {
    int group = at.y / arg_field_height;
    int j = ((at.y % arg_field_height) << arg_log2_field) + at.x;
    ivec2 corner = zone_corner(min(j, arg_length - 1));
    vec4 four = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        int step = 4 * group + i;
        int k = arg_first + min(step, arg_count - 1);
        vec4 pivot = in_pivots(place(k, arg_log2_field));
        float a = component(in_a(corner + in_strips(ivec2(int(pivot.y) >> 2, int(pivot.z)))), int(pivot.y) & 3);
        four[i] = j < arg_length && step < arg_count ? a : 0.0;
    }
    out_rows = four;
}
