// The end of a step of GMRES: one texel decides for all.
//   status = (why it stopped, steps of this cycle and those before, |r|, |r|): with the rotations |r| is |g_j+1|
// A w that is next to nothing beside A v was rounding: the Krylov space is complete, x the best that there is.
// RAW: the host rotates; |r| is not known yet.
//
// out: status
// in: status state square
// integer: restart j limit
// constant: target
// is: guarded
// pass gmres_status: |r| <- |g_j+1|, stop test
//     RAW: stop test without |r|
void kernel(ivec2 at) {
    vec4 status = in_status(at);
    float square = in_square(ivec2(0)).x, size = 0.0, residual = status.w;
    vec4 column = vec4(0.0);
    for (int row = 0; row <= (arg_j + 1) >> 2; ++row) {
        vec4 four = in_state(ivec2(arg_j, row));
        column += abs(four);
        size += dot(four, four);
    }
#ifndef RAW
    residual = abs(component(in_state(ivec2(arg_restart, (arg_j + 1) >> 2)), (arg_j + 1) & 3));
#endif
    bool bad = is_bad(column) || is_bad(vec4(square)) || is_bad(vec4(residual));
    float stop = STOP_RUNNING;
    if (bad) stop = STOP_NOT_FINITE;
#ifndef RAW
    else if (residual <= arg_target) stop = STOP_TARGET;
#endif
    else if (square <= 1e-12 * size) stop = STOP_COMPLETE;
    else if (arg_j + 1 >= arg_limit) stop = STOP_LIMIT;
    out_status = commit(status, vec4(stop, status.y + (bad ? 0.0 : 1.0), residual, residual));
}
