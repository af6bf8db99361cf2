// After a correction: r is the true residual again, scaled anew (by `rescale` in times of before).
// A step of no length comes next (iteration 0 when it has ended), which makes the direction p <- z + beta p. Of p there is left
// what it has of the directions before the last residual, whose nu = (r,z) the step still has:
//   beta <- (r,z) / (rescale nu), as in cg_restart.glsl; `keep` = 0: begins with a new direction
//
// pass pipelined_restart: after a correction: a step of no length, beta, drift anew; running again
// out: state step lengths status
// in: step lengths rz rr
// constant: rescale keep
void kernel(ivec2 at) {
    float nu = in_rz(at).x, r = sqrt(in_rr(at).x), before = in_step(at).z;
    float beta = arg_keep * nu / (arg_rescale * before);
    if (is_bad(vec4(beta)) || arg_keep == 0.0) beta = 0.0;
    out_state = vec4(r, 0.0, UNIT_ROUNDOFF * r, quotient(vec4(r), vec4(sqrt(abs(nu)))).x);
    out_step = vec4(0.0, beta, nu, 0.0);
    out_lengths = vec4(beta == 0.0 ? 0.0 : max(in_lengths(at).x - before, 0.0), 0.0, 0.0, 0.0);
    out_status = vec4(STOP_RUNNING, -1.0, r, r);
}
