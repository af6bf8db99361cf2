// After a correction: the residual is the first Lanczos vector u, rr = (u,u), and there is no step to take yet.
// PRECONDITIONED: uz = (u, M^-1 u) has the sign of M: if that is negative definite, MINRES works with -M. If uz is zero, M is
// not definite.
//
// pass minres_restart: the same after a correction
//     PRECONDITIONED: the same, with the sign of M
// out: lanczos rotation, norms if PRECONDITIONED, step status
// in: rr, uz if PRECONDITIONED
void kernel(ivec2 at) {
    float r = sqrt(in_rr(at).x), beta = r, sigma = 1.0, stop = STOP_RUNNING;
#ifdef PRECONDITIONED
    float uz = in_uz(at).x;
    beta = sqrt(abs(uz));
    sigma = uz < 0.0 ? -1.0 : 1.0;
    if (uz == 0.0 && r > 0.0) stop = STOP_INDEFINITE;
    out_norms = vec4(beta, 0.0, 0.0, 0.0);
#endif
    out_lanczos = vec4(quotient(vec4(1.0), vec4(beta)).x, 0.0, sigma, UNIT_ROUNDOFF * r);
    out_rotation = vec4(-1.0, 0.0, 0.0, 0.0);
    out_step = vec4(0.0);
    out_status = vec4(stop, 0.0, r, r);
}
