// After a correction: r is the true residual again, scaled anew (by `rescale` in times of before).
//   beta <- (r,z) / rho for the direction that is kept (`keep` = 1); 0 begins with a new one
// With p <- f p and rho <- f^2 rho left to the arithmetic: z + (rho' / (f^2 rho)) f p = z + (rho' / (f rho)) p.
void kernel(ivec2 at) {
    float r = sqrt(in_rr(at).x);
    float drift = 5.9604645e-8 * r;
    vec4 beta = quotient(in_rz(at), in_rho(at) * arg_rescale);
    out_state = vec4(r, drift, drift, r);
    out_rho = in_rz(at);
    out_beta = is_bad(beta) ? vec4(0.0) : arg_keep * beta;
    out_status = vec4(STOP_RUNNING, 0.0, r, 0.0);
}
