// The end of a cycle of IDR(s): one texel decides for all.
//   control = (largest |r| since the last correction, drift, drift at the last correction, |r|)
//   status  = (why it stopped, cycles since the last correction, |r|, 0)
//   sums    = ((r,y), (y,y), (y,r), (r,r)), omega as the cycle has had it, state: src/methods/idr.cpp
//   kept    = 1 where |r| is at most `growth` times what it was at the last correction, else 0: y is worth nothing
// The drift is estimated as in conjugate gradients (cg_control.glsl). A correction begins anew, so it is asked for late, as in
// BiCGStab (bicgstab_control.glsl): also where a step of the cycle had no length, or omega is none; and where |r| has grown so
// far that what rounding does to it is a tenth of what it was at the last correction: nothing could be gained any more.
//
// pass idr_control: drift, stop test
// out: control status kept
// in: control status kept sums omega state
// integer: limit
// constant: target norm tolerated growth
// is: guarded
void kernel(ivec2 at) {
    vec4 control = in_control(at), status = in_status(at), sums = in_sums(at), step = in_state(ivec2(3, 0));
    float r = sqrt(sums.w);
    float largest = max(control.x, r);
    float drift = control.y + UNIT_ROUNDOFF * (arg_norm * sqrt(sums.y) + largest);
    float cycles = status.y + 1.0, before = control.z / UNIT_ROUNDOFF;

    float stop = STOP_RUNNING;
    if (is_bad(sums)) stop = STOP_NOT_FINITE;
    else if (r <= arg_target) stop = STOP_TARGET;
    else if (UNIT_ROUNDOFF * r > 0.1 * before) stop = STOP_DIVERGED;
    else if (step.y != STOP_RUNNING) stop = step.y;
    else if (in_omega(at).x == 0.0) stop = STOP_BREAKDOWN;
    else if (drift > arg_tolerated * r && drift > 1.1 * control.z) stop = STOP_DRIFTED;
    else if (cycles >= float(arg_limit)) stop = STOP_LIMIT;

    out_control = commit(control, vec4(largest, drift, control.z, r));
    out_status = commit(status, vec4(stop, cycles, r, 0.0));
    out_kept = commit(in_kept(at), vec4(r <= arg_growth * before ? 1.0 : 0.0));
}
