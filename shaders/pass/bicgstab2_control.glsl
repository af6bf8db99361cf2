// The end of an iteration of BiCGStab(2): one texel decides for all.
//   state, status: as for BiCGStab (bicgstab_control.glsl); sums = ((r0,r), (r,r), (y,y), 0), omegas = (omega1, omega2, alpha, 0)
//   beta of the next direction:  alpha (r0,r) / (-omega2 rho),  rho <- (r0,r)
// It breaks down where r0 has become orthogonal to the residual or to a direction, or where t = A^2 r does not help.
void kernel(ivec2 at) {
    vec4 state = in_state(at), status = in_status(at), rho = in_rho(at);
    vec4 sums = in_sums(at), omegas = in_omegas(at);
    float shadow = in_shadow(at).x;

    float r = sqrt(sums.y);
    float largest = max(state.x, r);
    float drift = state.y + 5.9604645e-8 * (arg_norm * sqrt(sums.z) + largest);
    float iterations = status.y + 1.0;
    float beta = omegas.z * sums.x / (-omegas.y * rho.x);

    float stop = STOP_RUNNING;
    if (is_bad(sums)) stop = STOP_NOT_FINITE;
    else if (r <= arg_target) stop = STOP_TARGET;
    else if (is_bad(vec4(beta)) || omegas.y == 0.0 || omegas.z == 0.0 || abs(sums.x) <= 1e-6 * r * sqrt(shadow)) stop = STOP_BREAKDOWN;
    else if (drift > 0.1 * r && drift > 1.1 * state.z) stop = STOP_DRIFTED;
    else if (iterations >= float(arg_limit)) stop = STOP_LIMIT;

    bool running = stop == STOP_RUNNING;
    out_state = commit(state, vec4(largest, drift, state.z, r));
    out_rho = commit(rho, running ? vec4(sums.x) : rho);
    out_beta = commit(in_beta(at), running ? vec4(beta) : vec4(0.0));
    out_status = commit(status, vec4(stop, iterations, r, 0.0));
}
