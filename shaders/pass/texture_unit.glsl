// unit <- the power of two that brings |x| to [1/2, 1), where squares = (.., |x|^2, .., ..); 0 where |x| is no number, or |x|^2 is 0 or
// below the smallest normal number, 2^-126. By its bits: exp2() is not exact on every driver.
//
// pass texture_unit: unit <- the power of two with |x| unit in [1/2, 1)
// out: unit
// in: squares
// shares: texel
void kernel(ivec2 at) {
    float size = sqrt(in_squares(at).y);
    int exponent = int(floatBitsToUint(size) >> 23u);  // 126 of 1/2
    float unit = uintBitsToFloat(uint(clamp(253 - exponent, 1, 253)) << 23u);
    out_unit = vec4(in_squares(at).y >= 1.17549435e-38 && !is_bad(vec4(size)) ? unit : 0.0);
}
