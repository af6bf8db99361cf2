// The end of an iteration of MINRES: one texel decides for all. In the notation of Paige and Saunders, with reflections:
//   lanczos  = (1 / beta, -beta / beta before, beta, drift),  beta = |u|
//   rotation = (c, s, dbar, epsilon): the reflection that ended the last column of R, and what it left of the next
//   step     = (1 / (beta gamma), -delta / gamma, -epsilon / gamma, tau) of this iteration, taken by the next one
//   status   = (why it stopped, iterations since the last correction, |r|, |r|)
//   pi = (u,A u),  sums = ((u_next,u_next), (y,y), 0, 0)
// The drift estimates how far |r| may be from the true residual. Rounding errors of the steps are independent of each other, so
// that their squares add up:  d^2 <- d^2 + (2^-24 (|A|_inf |y| + |r|))^2.  A correction begins anew and loses the Krylov space,
// so it is asked for late: where |r| predicts the tolerance, and where the drift is a hundred times |r|. By then the true residual
// has stopped falling; on some twenty real matrices less waiting took more iterations, more waiting as many. `caution` makes
// runs shorter, for a system where that went wrong.
// Where |A r| is nothing but rounding errors no step makes r smaller: Choi, Paige and Saunders, SIAM J. Sci. Comput. 33 (2011).
//
// pass minres_control: a column of R, |r|, drift, stop test
// out: lanczos rotation step status
// in: lanczos rotation step status pi sums
// integer: limit
// constant: target norm caution
// is: guarded
void kernel(ivec2 at) {
    vec4 lanczos = in_lanczos(at), rotation = in_rotation(at), status = in_status(at);
    vec4 pi = in_pi(at), sums = in_sums(at);
    float c = rotation.x, s = rotation.y, dbar = rotation.z, epsilon = rotation.w, r = status.z;

    float alpha = pi.x * lanczos.x * lanczos.x, beta = sqrt(sums.x);
    float delta = c * dbar + s * alpha, gbar = s * dbar - c * alpha;  // the last reflection, applied to this column
    vec2 left = vec2(-c * beta, s * beta);                            // dbar and epsilon of the next one
    float gamma = sqrt(gbar * gbar + beta * beta);
    float a_r = sqrt(gbar * gbar + left.x * left.x);                  // |A r| / |r|, for the r before this iteration
    vec4 next = vec4(lanczos.x / gamma, -delta / gamma, -epsilon / gamma, r * (gbar / gamma));
    float next_r = r * (beta / gamma);
    float rounding = arg_caution * UNIT_ROUNDOFF * (arg_norm * sqrt(sums.y) + r);
    float drift = sqrt(lanczos.w * lanczos.w + rounding * rounding);
    float iterations = status.y + 1.0;

    float stop = STOP_RUNNING;
    if (is_bad(sums) || is_bad(pi)) stop = STOP_NOT_FINITE;
    else if (a_r <= 4.0 * UNIT_ROUNDOFF * arg_norm) stop = STOP_STATIONARY;
    else if (is_bad(next)) stop = STOP_NOT_FINITE;
    else if (next_r <= arg_target) stop = STOP_TARGET;
    else if (drift > 100.0 * next_r) stop = STOP_DRIFTED;
    else if (iterations >= float(arg_limit)) stop = STOP_LIMIT;

    bool takes_step = stop != STOP_NOT_FINITE && stop != STOP_STATIONARY;
    float size = takes_step ? next_r : r;
    out_lanczos = commit(lanczos, vec4(quotient(vec4(1.0), vec4(beta)).x, -beta * lanczos.x, beta, drift));
    out_rotation = commit(rotation, vec4(gbar / gamma, beta / gamma, left));
    out_step = commit(in_step(at), takes_step ? next : vec4(0.0));
    out_status = commit(status, vec4(stop, stop == STOP_NOT_FINITE ? status.y : iterations, size, size));
}
