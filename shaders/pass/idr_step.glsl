// The small numbers of a step of IDR(s). What `state` holds: src/methods/idr.cpp.
//   k = -1: the cycle begins, with h = P^T r:            f <- h
//   k >= 0: with h = P^T g, g the new vector of G as the product has left it:
//       a <- L^-1 h  for rows before k, L the triangle M in front of column k
//       M_ik <- h_i - sum of M_ij a_j over j < k,  for i >= k: what P^T g is, once G a is taken out
//       beta <- f_k / M_kk,  f <- f - beta M_k
// Both: c <- M^-1 f for rows behind k, by columns. A quotient that is no number, or has no denominator, is 0; the state says so.
//
// pass idr_step: state <- column k of M, a, beta, f, c
// out: state
// in: state h
// integer: s k
// is: guarded
struct Eight {
    vec4 low, high;
};
float number(Eight e, int i) { return component(i < 4 ? e.low : e.high, i & 3); }
Eight with_number(Eight e, int i, float value) {
    bvec4 low = equal(ivec4(i), ivec4(0, 1, 2, 3)), high = equal(ivec4(i), ivec4(4, 5, 6, 7));
    return Eight(mix(e.low, vec4(value), low), mix(e.high, vec4(value), high));
}
Eight minus(Eight e, float a, Eight f) { return Eight(e.low - a * f.low, e.high - a * f.high); }
Eight column(int j) { return Eight(in_state(ivec2(j, 0)), in_state(ivec2(j, 1))); }
float ratio(float n, float d) { return finite_or_zero(quotient(vec4(n), vec4(d))).x; }

// x with M x = rest, for rows and columns first ... end - 1; rest <- rest - M x.
Eight solve(inout Eight rest, int first, int end) {
    Eight x = Eight(vec4(0.0), vec4(0.0));
    for (int j = first; j < end; ++j) {
        Eight m = column(4 + j);
        float x_j = ratio(number(rest, j), number(m, j));
        x = with_number(x, j, x_j);
        rest = with_number(minus(rest, x_j, m), j, 0.0);
    }
    return x;
}

void kernel(ivec2 at) {
    Eight h = Eight(in_h(ivec2(0)), in_h(ivec2(0, 1))), f = h, a = Eight(vec4(0.0), vec4(0.0));
    vec4 step = vec4(0.0);
    if (arg_k >= 0) {
        f = column(2);
        step = in_state(ivec2(3, 0));
        bool bad = is_bad(h.low) || is_bad(h.high);
        a = solve(h, 0, arg_k);  // h becomes the column
        float f_k = number(f, arg_k), pivot = number(h, arg_k);
        step.x = ratio(f_k, pivot);
        if (bad) step.y = STOP_NOT_FINITE;
        else if (step.y == STOP_RUNNING && (pivot == 0.0 || is_bad(vec4(f_k / pivot)))) step.y = STOP_BREAKDOWN;
        f = with_number(minus(f, step.x, h), arg_k, 0.0);
    }
    Eight rest = f;
    Eight c = solve(rest, arg_k + 1, arg_s);
    vec4 state = in_state(at);
    bool low = at.y == 0;
    if (at.x == 0) state = low ? c.low : c.high;
    if (at.x == 1) state = low ? a.low : a.high;
    if (at.x == 2) state = low ? f.low : f.high;
    if (at.x == 3) state = low ? step : vec4(0.0);
    if (at.x == 4 + arg_k && arg_k >= 0) state = low ? h.low : h.high;
    out_state = commit(in_state(at), state);
}
