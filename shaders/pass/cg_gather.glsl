// Four right-hand sides: what their texels say, side by side, and one status for all of them.
//   rho, beta, stops   the k-th component is that of the k-th right-hand side
//   status             (have all stopped?, iterations of the one that is farthest, the largest |r| of those running, |r| of the
//                      first)
//
// pass cg_gather: rho, beta, stops of four right-hand sides, side by side; the run's status
// out: rho beta stops status
// in: rhos betas statuses
void kernel(ivec2 at) {
    vec4 rho, beta, stops;
    float stop = STOP_LIMIT, iterations = 0.0, r = 0.0;
    for (int k = 0; k < 4; ++k) {
        vec4 status = in_statuses(ivec2(k, 0));
        rho[k] = in_rhos(ivec2(k, 0)).x;
        beta[k] = in_betas(ivec2(k, 0)).x;
        stops[k] = status.x;
        iterations = max(iterations, status.y);
        if (status.x == STOP_RUNNING) {
            stop = STOP_RUNNING;
            r = max(r, status.z);
        }
    }
    out_rho = rho;
    out_beta = beta;
    out_stops = stops;
    out_status = vec4(stop, iterations, r, in_statuses(ivec2(0)).z);
}
