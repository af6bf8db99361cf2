// Before a cycle: no columns yet, and g = (beta, 0, ...) with beta = |r|. Steps of cycles before are remembered, where the
// status goes on counting through several. What `state` holds: src/methods/gmres.cpp.
//
// pass gmres_restart: state <- no columns, g = (|r|, 0, ...)
// out: state
// in: rr status
// integer: restart
void kernel(ivec2 at) {
    float first = 0.0;
    if (at == ivec2(arg_restart, 0)) first = sqrt(in_rr(ivec2(0)).x);
    if (at == ivec2(arg_restart + 3, 0)) first = in_status(ivec2(0)).y;
    out_state = vec4(first, 0.0, 0.0, 0.0);
}
