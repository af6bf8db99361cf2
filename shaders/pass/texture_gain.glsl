// gain <- what a run multiplies residuals by, so that it may stop where gain |S r| is arg_reference: |r| is then what the tolerance
// wants, if |S r| falls as |r| does. A power of two, rounded up. 0, so that nothing changes, where r meets the tolerance already,
// where b is zero, and where something is no number.
//     squares = (|b|^2, |S b|^2, ..), start = unit^2 (|r|^2, |S r|^2, ..)
//
// pass texture_gain: gain <- what a run multiplies residuals by
// out: gain
// in: squares unit start
// constant: tolerance absolute reference
// shares: texel
void kernel(ivec2 at) {
    float unit = in_unit(at).x;
    float b = sqrt(in_squares(at).x) * unit, r = sqrt(in_start(at).x), scaled = sqrt(in_start(at).y);
    float wanted = max(arg_tolerance * b, arg_absolute * unit);
    float gain = unit * (arg_reference / wanted) * (r / scaled);
    uint exponent = floatBitsToUint(gain) >> 23u;
    float above = uintBitsToFloat(clamp(exponent + 1u, 1u, 253u) << 23u);
    bool none = unit == 0.0 || r <= wanted || !(wanted > 0.0) || !(gain > 0.0) || is_bad(vec4(gain));
    out_gain = vec4(none ? 0.0 : above);
}
