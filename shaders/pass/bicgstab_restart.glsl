// After a correction: the residual is its own shadow, rr = (r,r), and there is no direction yet.
//
// pass bicgstab_restart: the same after a correction
// out: state rho factors status
// in: rr
void kernel(ivec2 at) {
    vec4 rr = in_rr(at);
    float r = sqrt(rr.x), drift = UNIT_ROUNDOFF * r;
    out_state = vec4(r, drift, drift, r);
    out_rho = rr;
    out_factors = vec4(0.0);
    out_status = vec4(STOP_RUNNING, 0.0, r, 0.0);
}
