// A test of an iteration without inner products: one texel decides for all.
//   state  = (smallest |r| since the last correction, |r| then, rounding error of r, |r|)
//   status = (why it stopped, iterations since the last correction, |r|, 0)
//   sums   = ((r,r), (y,y), ...) before the latest step, or after it
// r = b - A y is computed anew with each step, so that it does not drift; but y holds 24 bits, and so it is not more accurate than
// 2^-24 |A| |y|. A correction is due where that exceeds `tolerated` |r|, or where |r| is some thousandth of what it was; not
// the latter where none comes before the end, which is where `tolerated` is 1 or more.
//
// pass step_control: stop test
// out: state status
// in: state status sums
// integer: steps limit
// constant: target norm tolerated
// is: guarded
void kernel(ivec2 at) {
    vec4 state = in_state(at), status = in_status(at), sums = in_sums(at);
    float r = sqrt(sums.x);
    bool first = status.y == 0.0;  // what came before it is no measure of divergence: that may pass
    float smallest = first ? r : min(state.x, r), begin = state.y == 0.0 ? r : state.y;
    float rounding = UNIT_ROUNDOFF * (arg_norm * sqrt(sums.y) + begin);
    float iterations = status.y + float(arg_steps);

    float stop = STOP_RUNNING;
    if (is_bad(sums)) stop = STOP_NOT_FINITE;
    else if (r <= arg_target) stop = STOP_TARGET;
    else if (r > 100.0 * smallest) stop = STOP_DIVERGED;
    else if (rounding > arg_tolerated * r) stop = STOP_DRIFTED;
    else if (arg_tolerated < 1.0 && r < 1e-4 * begin) stop = STOP_REDUCED;
    else if (iterations >= float(arg_limit)) stop = STOP_LIMIT;
    out_state = commit(state, vec4(smallest, begin, rounding, r));
    out_status = commit(status, vec4(stop, iterations, r, 0.0));
}
