// The end of an iteration of MINRES: one texel decides for all. In the notation of Paige and Saunders, with reflections:
//   lanczos  = (1 / beta, -beta / beta before, sigma, drift),  beta = |u|
//   rotation = (c, s, dbar, epsilon): the reflection that ended the last column of R, and what it left of the next
//   step     = (sigma / (beta gamma), -delta / gamma, -epsilon / gamma, tau) of this iteration, taken by the next one
//   status   = (why it stopped, iterations since the last correction, |r|, |r|)
//   pi = (u,A u),  sums = ((u_next,u_next), (y,y), 0, 0)
// The drift estimates how far |r| may be from the true residual. Rounding errors of the steps are independent of each other, so
// that their squares add up:  d^2 <- d^2 + (2^-24 (|A|_inf |y| + |r|))^2.  A correction begins anew and loses the Krylov space,
// so it is asked for late: where |r| predicts the tolerance, and where the drift is a hundred times |r|. By then the true residual
// has stopped falling; on some twenty real matrices less waiting took more iterations, more waiting as many. `caution` makes
// runs shorter, for a system where that went wrong.
// Where |A r| is nothing but rounding errors no step makes r smaller: Choi, Paige and Saunders, SIAM J. Sci. Comput. 33 (2011).
// PRECONDITIONED: beta^2 = sigma (u, M^-1 u) with the sign sigma of M, uz = (u_next, M^-1 u_next), pi = (z,A z) for z = M^-1 u. M is
// not definite where beta^2 is not positive; no step is taken then. What becomes smaller is |r| in the norm of M^-1:
//   norms    = (that, the largest column of T so far, which is about |M^-1 A| in that norm, 0, 0)
// |r| as such is estimated: r <- s^2 r - (that c / beta) u_next, a sum of parts that are orthogonal in M^-1; their squares are
// added up as if they were orthogonal altogether. After a correction it is exact.
//
// pass minres_control: a column of R, |r|, drift, stop test
//     PRECONDITIONED: a column of R, |r| in the norm of M^-1, an estimate of |r|, drift, stop test
// out: lanczos rotation, norms if PRECONDITIONED, step status
// in: lanczos rotation, norms if PRECONDITIONED, step status pi sums, uz if PRECONDITIONED
// integer: limit
// constant: target norm caution
// is: guarded
void kernel(ivec2 at) {
    vec4 lanczos = in_lanczos(at), rotation = in_rotation(at), status = in_status(at);
    vec4 pi = in_pi(at), sums = in_sums(at);
    float c = rotation.x, s = rotation.y, dbar = rotation.z, epsilon = rotation.w, sigma = lanczos.z, r = status.z;
#ifdef PRECONDITIONED
    vec4 norms = in_norms(at), uz = in_uz(at);
    float square = sigma * uz.x, phi = norms.x;
    bool definite = square > 0.0 || sums.x == 0.0;
    bool bad = is_bad(sums) || is_bad(pi) || is_bad(uz);
#else
    float square = sums.x, phi = r;
    bool definite = true, bad = is_bad(sums) || is_bad(pi);
#endif

    float alpha = pi.x * lanczos.x * lanczos.x, beta = sqrt(max(square, 0.0));
    float delta = c * dbar + s * alpha, gbar = s * dbar - c * alpha;  // the last reflection, applied to this column
    vec2 left = vec2(-c * beta, s * beta);                            // dbar and epsilon of the next one
    float gamma = sqrt(gbar * gbar + beta * beta);
    float a_r = sqrt(gbar * gbar + left.x * left.x);                  // |A r| / |r|, for the r before this iteration
    vec4 next = vec4(sigma * lanczos.x / gamma, -delta / gamma, -epsilon / gamma, phi * (gbar / gamma));
    float next_phi = phi * (beta / gamma);
#ifdef PRECONDITIONED
    float norm_of_t = max(norms.y, sqrt(alpha * alpha + beta * beta));
    float parts = (beta / gamma) * (beta / gamma) * r, part = next_phi * (gbar / gamma) * sqrt(sums.x / square);
    float next_r = sums.x == 0.0 ? 0.0 : sqrt(parts * parts + part * part);
#else
    float norm_of_t = arg_norm, next_r = next_phi;
#endif
    float rounding = arg_caution * UNIT_ROUNDOFF * (arg_norm * sqrt(sums.y) + r);
    float drift = sqrt(lanczos.w * lanczos.w + rounding * rounding);
    float iterations = status.y + 1.0;

    float stop = STOP_RUNNING;
    if (bad) stop = STOP_NOT_FINITE;
    else if (!definite) stop = STOP_INDEFINITE;
    else if (a_r <= 4.0 * UNIT_ROUNDOFF * norm_of_t) stop = STOP_STATIONARY;
    else if (is_bad(next)) stop = STOP_NOT_FINITE;
    else if (next_r <= arg_target) stop = STOP_TARGET;
    else if (drift > 100.0 * next_r) stop = STOP_DRIFTED;
    else if (iterations >= float(arg_limit)) stop = STOP_LIMIT;

    bool has_step = stop != STOP_NOT_FINITE && stop != STOP_INDEFINITE, takes_step = has_step && stop != STOP_STATIONARY;
    float size = takes_step ? next_r : r;
    out_lanczos = commit(lanczos, vec4(quotient(vec4(1.0), vec4(beta)).x, -beta * lanczos.x, sigma, drift));
    out_rotation = commit(rotation, vec4(gbar / gamma, beta / gamma, left));
#ifdef PRECONDITIONED
    out_norms = commit(norms, vec4(next_phi, norm_of_t, 0.0, 0.0));
#endif
    out_step = commit(in_step(at), takes_step ? next : vec4(0.0));
    out_status = commit(status, vec4(stop, has_step ? iterations : status.y, size, size));
}
