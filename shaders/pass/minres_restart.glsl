// After a correction: the residual is the first Lanczos vector, rr = (r,r), and there is no step to take yet.
//
// pass minres_restart: the same after a correction
// out: lanczos rotation step status
// in: rr
void kernel(ivec2 at) {
    float beta = sqrt(in_rr(at).x);
    out_lanczos = vec4(quotient(vec4(1.0), vec4(beta)).x, 0.0, beta, UNIT_ROUNDOFF * beta);
    out_rotation = vec4(-1.0, 0.0, 0.0, 0.0);
    out_step = vec4(0.0);
    out_status = vec4(STOP_RUNNING, 0.0, beta, beta);
}
