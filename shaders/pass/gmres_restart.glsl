// Before a cycle: no columns yet, and g = (beta, 0, ...) with beta = |r|. What `state` holds: src/solvers/gmres.cpp.
void kernel(ivec2 at) {
    bool is_beta = at == ivec2(arg_restart, 0);
    out_state = vec4(is_beta ? sqrt(in_rr(ivec2(0)).x) : 0.0, 0.0, 0.0, 0.0);
}
