// The columns beside a panel after its steps:  a_i <- (a_i, or 0 in the rows of the panel's pivots) + sum over its pivots p of
// panel_ip a_p (before). The columns of the panel itself are copied. used: for each row the step that used it up, from 1.
//
// pass jordan_update: a <- a (0 in the pivots' rows) + panel rows
// out: a
// in: a used panel rows
// integer: log2_columns tile_height length log2_strip first count log2_field field_height
// compiled: PANEL
void kernel(ivec2 at) {
    ivec2 t = texel_at(at);
    int j = column_at(at);
    ivec2 field = place(j, arg_log2_field);
    vec4 used = in_used(t);
    bvec4 here = bvec4(uvec4(greaterThan(used, vec4(float(arg_first)))) & uvec4(lessThan(used, vec4(float(arg_first + arg_count) + 0.5))));
    vec4 a = mix(in_a(at), vec4(0.0), here);
    for (int group = 0; group < PANEL / 4; ++group) {
        vec4 rows = in_rows_clamped(field + ivec2(0, group * arg_field_height));
        for (int i = 0; i < 4; ++i) a += in_panel(t + ivec2(0, (4 * group + i) * arg_tile_height)) * component(rows, i);
    }
    int own = clamp(j - arg_first, 0, PANEL - 1);
    bool in_panel_itself = j >= arg_first && j < arg_first + arg_count;
    vec4 copied = in_panel(t + ivec2(0, own * arg_tile_height));
    out_a = j < arg_length ? (in_panel_itself ? copied : a) : vec4(0.0);
}
