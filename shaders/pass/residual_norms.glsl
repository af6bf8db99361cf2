// What a correction has to know of the true residual t, and of the recurrence's r that stands for s t:
//     sum <- (|a w t|^2, |a t|^2, |s t - r|^2, 0)      with w = 1 / S, or 1 where there are no weights
//
// pass residual_norms: sum <- (|a w t|^2, |a t|^2, |s t - r|^2, 0)
// out: sum
// in: t r w
// scalar: a
// integer: weights
// constant: s
// over: input
// is: elementwise
void kernel(ivec2 at) {
    vec4 t = in_t(at);
    vec4 drift = arg_s * t - in_r(at);
    t *= scalar_a;
    vec4 unscaled = arg_weights != 0 ? in_w(at) * t : t;
    out_sum = vec4(dot(unscaled, unscaled), dot(t, t), dot(drift, drift), 0.0);
}
