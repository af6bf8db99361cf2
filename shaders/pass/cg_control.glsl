// The end of an iteration of conjugate gradients: one texel decides for all.
//   state  = (largest |r| since the last correction, drift, drift at the last correction, |r|)
//   status = (why it stopped, iterations since the last correction, |r|, 0)
//   sums   = ((r,z), (r,r), (y,y), 0), pi = (p,Ap), rho = (r,z) of the iteration before
// The drift estimates how far the recurrence's r may be from the true residual:
//   d <- d + 2^-24 (|A|_inf |y| + |r|)
// Corrections are asked for where the residual has fallen tenfold below the largest one since the last, where the drift
// exceeds `tolerated` |r|, and where |r| predicts that the tolerance is met (van der Vorst and Ye, SIAM J. Sci. Comput. 22,
// 2000; the largest residual since the last correction, as Clark et al., Comput. Phys. Commun. 181, 2010). tolerated is a
// tenth; 1 or more where no corrections come on the way, beyond all drift where the recurrence is in two floats.
// FIELD: texel k decides for the k-th of four right-hand sides, whose sums are the k-th components of (r,z), (r,r), (y,y) and
// (p,Ap); the last component of its state is its target. One that has stopped is left alone. When the first that stopped has
// waited as long as it had run, the others stop as well: a correction is then due to all (where there are any on the way).
// Where rz_later is not 0 z is made after this, where it goes on at all, and cg_direction sees to rho and beta.
//
// pass cg_control: drift, stop test, beta <- (r,z) / rho, rho <- (r,z)
//     FIELD: cg_control for four right-hand sides, a texel for each
// out: state rho beta status
// in: state rho beta status, rz rr yy if FIELD, sums if not FIELD, pi
// integer: limit, rz_later if not FIELD
// constant: target if not FIELD, norm tolerated
// shares: texel if not FIELD
// is: guarded if not FIELD
#ifdef FIELD
#define own(texel) component(texel, at.x)
#define commit(before, after) (status.x != STOP_RUNNING ? before : after)
#define last(r, target) target
#define rz_later false

bool is_over(float iterations) {
    float first = iterations;
    for (int k = 0; k < 4; ++k) {
        vec4 other = in_status(ivec2(k, 0));
        if (other.x != STOP_RUNNING && other.x != STOP_ABSENT) first = min(first, other.y);
    }
    return iterations >= float(arg_limit) || (arg_tolerated < 1.0 && iterations > 2.0 * first);
}
#else
#define last(r, target) r
#define rz_later (arg_rz_later != 0)

bool is_over(float iterations) { return iterations >= float(arg_limit); }
#endif

void kernel(ivec2 at) {
    vec4 state = in_state(at);
    vec4 status = in_status(at);
    vec4 rho = in_rho(at);
#ifdef FIELD
    ivec2 all = ivec2(0);
    vec4 sums = vec4(own(in_rz(all)), own(in_rr(all)), own(in_yy(all)), 0.0);
    vec4 pi = vec4(own(in_pi(all)));
    float target = state.w;
#else
    vec4 sums = in_sums(at);
    vec4 pi = in_pi(at);
    float target = arg_target;
#endif

    float r = sqrt(sums.y);
    float largest = max(state.x, r);
    float drift = state.y + UNIT_ROUNDOFF * (arg_norm * sqrt(sums.z) + r);
    float iterations = status.y + 1.0;

    float stop = STOP_RUNNING;
    if (is_bad(sums) || is_bad(pi)) stop = STOP_NOT_FINITE;
    else if (!(pi.x > 0.0) || is_bad(rho / pi)) stop = STOP_INDEFINITE;
    else if (r <= target) stop = STOP_TARGET;
    else if (arg_tolerated < 1.0 && r < 0.1 * largest) stop = STOP_REDUCED;
    else if (drift > arg_tolerated * r && drift > 1.1 * state.z) stop = STOP_DRIFTED;
    else if (is_over(iterations)) stop = STOP_LIMIT;

    bool fresh = stop != STOP_NOT_FINITE && stop != STOP_INDEFINITE;  // this iteration has changed y and r
    bool running = stop == STOP_RUNNING;
    // What a correction continues from stays as it was: rho belongs to the direction that is kept.
    out_state = commit(state, fresh ? vec4(largest, drift, state.z, last(r, target)) : state);
    bool goes_on = running && !rz_later;
    out_rho = commit(rho, goes_on ? vec4(sums.x) : rho);
    out_beta = commit(in_beta(at), goes_on ? quotient(vec4(sums.x), rho) : rz_later ? in_beta(at) : vec4(0.0));
    out_status = commit(status, vec4(stop, fresh ? iterations : status.y, r, 0.0));
}
#undef last
#undef rz_later
