// y <- R^-1 g, for as many columns as the cycle has had; zeros behind them. By columns, so that the rows go on together.
// BLOCKS: texels of y. A column without a pivot is left out.
//
// pass gmres_solve: y <- R^-1 g
// out: y
// in: state status
// integer: restart
// compiled: BLOCKS
void kernel(ivec2 at) {
    vec4 y[BLOCKS];
    for (int row = 0; row < BLOCKS; ++row) y[row] = in_state(ivec2(arg_restart, row));
    int steps = int(in_status(ivec2(0)).y - in_state(ivec2(arg_restart + 3, 0)).x);
    for (int j = 4 * BLOCKS - 1; j >= 0; --j) {
        int last = j >> 2;
        bvec4 here = equal(ivec4(j & 3), ivec4(0, 1, 2, 3));
        vec4 r_j = j < steps ? in_state(ivec2(j, last)) : vec4(0.0);
        float pivot = component(r_j, j & 3);
        float y_j = pivot != 0.0 ? component(y[last], j & 3) / pivot : 0.0;
        for (int row = 0; row <= last; ++row) y[row] -= y_j * (j < steps ? in_state(ivec2(j, row)) : vec4(0.0));
        y[last] = mix(y[last], vec4(y_j), here);
    }
    out_y = y[at.y];
}
