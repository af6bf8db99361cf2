// The inverse in its own order: entry (i, j) is where the pivot of step i has its row, in the column of the step that used row j up.
//
// pass jordan_permute: a <- the inverse in its own order
// out: a
// in: a used pivots
// integer: log2_width log2_columns tile_height length log2_strip log2_field
void kernel(ivec2 at) {
    ivec2 t = texel_at(at);
    int j = column_at(at);
    vec4 used = in_used_clamped(place(j >> 2, arg_log2_width));
    ivec2 corner = zone_corner(max(int(component(used, j & 3)) - 1, 0));
    vec4 four = vec4(0.0);
    for (int lane = 0; lane < 4; ++lane) {
        int i = 4 * ((t.y << arg_log2_width) + t.x) + lane;
        int k = min(i, arg_length - 1);
        vec4 pivot = in_pivots(place(k, arg_log2_field));
        float a = component(in_a(corner + in_strips(ivec2(int(pivot.y) >> 2, int(pivot.z)))), int(pivot.y) & 3);
        four[lane] = i < arg_length && j < arg_length ? a : 0.0;
    }
    out_a = four;
}
