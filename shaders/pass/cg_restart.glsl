// After a correction: r is the true residual again, scaled anew (by `rescale` in times of before).
//   beta <- (r,z) / rho for the direction that is kept (`keep` = 1); 0 begins with a new one
// With p <- f p and rho <- f^2 rho left to the arithmetic: z + (rho' / (f^2 rho)) f p = z + (rho' / (f rho)) p.
// FIELD: texel k for the k-th of four right-hand sides; plan = (rescale, keep, its target, STOP_RUNNING or STOP_ABSENT).
//
// pass cg_restart: after a correction: beta, rho, drift anew; running again
//     FIELD: cg_restart for four right-hand sides, a texel for each
// out: state rho beta status
// in: rho rz rr, plan if FIELD
// constant: rescale keep if not FIELD
// shares: texel if not FIELD
void kernel(ivec2 at) {
#ifdef FIELD
    vec4 plan = in_plan(at);
    vec4 rz = vec4(component(in_rz(ivec2(0)), at.x));
    vec4 rr = vec4(component(in_rr(ivec2(0)), at.x));
    float rescale = plan.x, keep = plan.y, stop = plan.w;
#else
    vec4 rz = in_rz(at);
    vec4 rr = in_rr(at);
    float rescale = arg_rescale, keep = arg_keep, stop = STOP_RUNNING;
#endif
    float r = sqrt(rr.x);
    float drift = UNIT_ROUNDOFF * r;
    vec4 beta = quotient(rz, in_rho(at) * rescale);
#ifdef FIELD
    float last = plan.z;
#else
    float last = r;
#endif
    out_state = vec4(r, drift, drift, last);
    out_rho = rz;
    out_beta = is_bad(beta) ? vec4(0.0) : keep * beta;
    out_status = vec4(stop, 0.0, r, 0.0);
}
