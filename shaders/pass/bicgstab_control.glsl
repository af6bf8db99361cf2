// The end of an iteration of BiCGStab: one texel decides for all.
//   state   = (largest |r| since the last correction, drift, drift at the last correction, |r|)
//   status  = (why it stopped, iterations since the last correction, |r|, 0)
//   factors = (beta, omega, 0, 0) of the next direction:  beta = ((r0,r) / rho) (alpha / omega)
//   sums    = ((r0,r), (r,r), (y,y), 0), products = ((t,s), (t,t), 0, 0), sigma = (r0,v), shadow = (r0,r0)
// TWO_STEPS, of BiCGStab(2): omegas = (omega1, omega2, alpha, 0),  beta = (alpha / -omega2) ((r0,r) / rho), four times in factors
// The drift is estimated as in conjugate gradients (cg_control.glsl); a correction begins anew with a new shadow residual. So it
// is asked for late: where the drift exceeds `tolerated` |r|, where that predicts the tolerance, and where the method
// breaks down, since r0 has become orthogonal to the residual or to a direction, or the last step does not help.
//
// out: state rho factors status
// integer: limit
// constant: target norm tolerated
// is: guarded
// pass bicgstab_control: drift, stop test, beta, omega, rho
// in: state rho factors status sums products sigma shadow
// pass bicgstab2_control (TWO_STEPS): drift, stop test, beta, rho
// in: state rho factors status sums omegas shadow
void kernel(ivec2 at) {
    vec4 state = in_state(at), status = in_status(at), rho = in_rho(at), sums = in_sums(at);
    float shadow = in_shadow(at).x;
#ifdef TWO_STEPS
    vec4 omegas = in_omegas(at);
    float alpha = omegas.z, omega = -omegas.y;
    bool bad = is_bad(sums);
#else
    vec4 products = in_products(at), sigma = in_sigma(at);
    float alpha = rho.x / sigma.x, omega = products.x / products.y;
    bool bad = is_bad(sums) || is_bad(products) || is_bad(sigma);
#endif

    float r = sqrt(sums.y);
    float largest = max(state.x, r);
    float drift = state.y + UNIT_ROUNDOFF * (arg_norm * sqrt(sums.z) + largest);
    float iterations = status.y + 1.0;
    float beta = (sums.x / rho.x) * (alpha / omega);

    float stop = STOP_RUNNING;
    if (bad) stop = STOP_NOT_FINITE;
    else if (r <= arg_target) stop = STOP_TARGET;
    else if (is_bad(vec4(alpha, omega, beta, 0.0)) || alpha == 0.0 || omega == 0.0) stop = STOP_BREAKDOWN;
    else if (abs(sums.x) <= 1e-6 * r * sqrt(shadow)) stop = STOP_BREAKDOWN;
    else if (drift > arg_tolerated * r && drift > 1.1 * state.z) stop = STOP_DRIFTED;
    else if (iterations >= float(arg_limit)) stop = STOP_LIMIT;

    bool running = stop == STOP_RUNNING;
#ifdef TWO_STEPS
    vec4 factors = vec4(beta);
#else
    vec4 factors = vec4(beta, omega, 0.0, 0.0);
#endif
    out_state = commit(state, vec4(largest, drift, state.z, r));
    out_rho = commit(rho, running ? vec4(sums.x) : rho);
    out_factors = commit(in_factors(at), running ? factors : vec4(0.0));
    out_status = commit(status, vec4(stop, iterations, r, 0.0));
}
