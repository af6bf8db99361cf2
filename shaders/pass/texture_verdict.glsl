// refused <- 1 where what a run has found is worse than nothing, else 0: no number, or a residual that has grown beyond that of the
// start and beyond a thousand b. (In conjugate gradients it may well grow on the way: the error does not.) Or b is not zero, but its
// square is below the smallest normal number, 2^-126. The texture then keeps what it holds.
//     squares = (|b|^2, |S b|^2, |2^100 S b|^2, ..), start, end = unit^2 (|r|^2, ..) before and after
//
// pass texture_verdict: refused <- is what a run has found worse than nothing?
// out: refused
// in: squares unit start end
// shares: texel
void kernel(ivec2 at) {
    float b = sqrt(in_squares(at).x) * in_unit(at).x, start = sqrt(in_start(at).x), end = sqrt(in_end(at).x);
    bool too_small = in_squares(at).y < 1.17549435e-38 && in_squares(at).z > 0.0;
    bool fine = !is_bad(vec4(end)) && !is_bad(vec4(b)) && (end <= max(1000.0 * b, start) || is_bad(vec4(start)));
    out_refused = vec4(fine && !too_small ? 0.0 : 1.0);
}
