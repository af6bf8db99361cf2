// The end of an iteration of pipelined conjugate gradients: one texel decides for all.
//   sums    = (nu, mu, gamma, delta) = ((r,z), (p,s), (u,s), (z,s))  with z = M^-1 r, s = A p, u = M^-1 s
//   step    = (alpha, beta, nu, 0) of the next update
//   lengths = ((p,Mp), (y,Mp), (y,My), 0)
//   state   = (largest |r| since the last correction, drift, drift at the last correction, |r| / sqrt(nu) then)
//   status  = (why it stopped, iterations since the last correction, |r|, |r|)
// The next residual is z - alpha u there, so that its direction is conjugate to p where beta = -(z - alpha u, s) / mu: known
// before the residual is. |r| follows from nu, in the proportion of the last correction. |y| follows from r being orthogonal to
// the directions before and to y (Steihaug, SIAM J. Numer. Anal. 20, 1983), in the norm of M.
// Drift, corrections and what is tolerated: as in cg_control.glsl.
//
// pass pipelined_control: drift, stop test, alpha, beta
// out: state step lengths status
// in: state step lengths status sums
// integer: limit
// constant: target norm tolerated
// is: guarded
void kernel(ivec2 at) {
    vec4 state = in_state(at), step = in_step(at), lengths = in_lengths(at), status = in_status(at), sums = in_sums(at);
    float nu = sums.x, mu = sums.y, gamma = sums.z, delta = sums.w;

    // What the last update has done, with its alpha and beta:
    float yy = lengths.z + 2.0 * step.x * lengths.y + step.x * step.x * lengths.x;
    float yp = step.y * (lengths.y + step.x * lengths.x);
    float pp = nu + step.y * step.y * lengths.x;
    float r = state.w * sqrt(abs(nu));
    float largest = max(state.x, r);
    float drift = state.y + UNIT_ROUNDOFF * (arg_norm * sqrt(max(yy, 0.0)) + r);
    float iterations = status.y + 1.0;

    // What the next one does:
    float alpha = nu / mu;
    float beta = (alpha * gamma - delta) / mu;
    beta = beta > 4.7683716e-7 && !is_bad(vec4(beta)) ? beta : 0.0;  // 2^-21: less is rounding, of a difference of ones

    float stop = STOP_RUNNING;
    if (is_bad(sums)) stop = STOP_NOT_FINITE;
    else if (r <= arg_target) stop = STOP_TARGET;
    else if (!(mu > 0.0) || !(nu > 0.0) || is_bad(vec4(alpha))) stop = STOP_INDEFINITE;
    else if (arg_tolerated < 1.0 && r < 0.1 * largest) stop = STOP_REDUCED;
    else if (drift > arg_tolerated * r && drift > 1.1 * state.z) stop = STOP_DRIFTED;
    else if (iterations >= float(arg_limit)) stop = STOP_LIMIT;

    bool fresh = stop != STOP_NOT_FINITE;
    bool running = stop == STOP_RUNNING;
    // nu belongs to the residual that a correction replaces: it is kept, and no step is taken any more.
    out_state = commit(state, fresh ? vec4(largest, drift, state.z, state.w) : state);
    out_step = commit(step, vec4(running ? alpha : 0.0, running ? beta : 0.0, fresh ? nu : step.z, 0.0));
    out_lengths = commit(lengths, fresh ? vec4(pp, yp, yy, 0.0) : lengths);
    out_status = commit(status, vec4(stop, fresh ? iterations : max(status.y, 0.0), r, fresh ? r : status.w));
}
