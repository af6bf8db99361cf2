// What every kernel can rely on. The host reference has the same functions in src/host/kernel.hpp.

// A quotient with a zero denominator is 0: a solve that has met its end divides nothing by nothing.
vec4 quotient(vec4 n, vec4 d) { return mix(n / d, vec4(0.0), equal(d, vec4(0.0))); }

// Infinite or not a number in any component, from the bits: isnan() is not dependable on every driver.
bool is_bad(vec4 v) {
    return any(equal(floatBitsToUint(v) & uvec4(0x7f800000u), uvec4(0x7f800000u)));
}

// alpha = (r,z) / (p,Ap), or 0 where (p,Ap) <= 0 or a number is none: nothing may change then; cg_control sees it and stops.
vec4 step_length(vec4 alpha) {
    vec4 a = mix(vec4(0.0), alpha, greaterThan(alpha, vec4(0.0)));
    return is_bad(a) ? vec4(0.0) : a;
}
