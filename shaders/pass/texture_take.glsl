// A vector <- a times texels of a texture of the caller's. A texel holds 2^arg_log2_in numbers: four, or one in component
// arg_component. Row j of the rectangle at (arg_left, arg_bottom), arg_columns numbers, is line j of y, where lines are arg_pitch numbers
// apart; of arg_lines lines of y (a plane) the first arg_height are rows, the others are none. What is no row, or behind the end of
// one, becomes zero; so does, where arg_finite says so, what is no number, and, where arg_masked says so, what stands where m is
// zero.
// Beyond that what is not zero in the texture is not zero in y: what stages make of numbers below 1.2e-38, and of products that are so
// small, differs. It becomes 2^-100, next to which a b that can be solved for is large.
//
// pass texture_take: y <- a times texels of a texture of the caller's
// out: y
// in: x:outside m
// scalar: a
// integer: log2_width left bottom columns pitch lines height length log2_in component finite masked
float number_at(int i) {
    int line = divided(i, arg_pitch);
    int column = i - line * arg_pitch;
    int plane = divided(line, arg_lines);
    int within = line - plane * arg_lines;
    ivec2 from = ivec2(arg_left + (column >> arg_log2_in), arg_bottom + plane * arg_height + within);
    float x = component(in_x_clamped(from), arg_component + (column & ((1 << arg_log2_in) - 1)));
    return column < arg_columns && within < arg_height && i < arg_length ? x : 0.0;
}

float not_lost(float y, float x) {
    uint bits = floatBitsToUint(x);
    float least = (bits >> 31u) != 0u ? -7.8886091e-31 : 7.8886091e-31;
    return (bits & 0x7fffffffu) != 0u && abs(y) < 7.8886091e-31 && scalar_a.x != 0.0 ? least : y;
}

void kernel(ivec2 at) {
    int i = 4 * ((at.y << arg_log2_width) + at.x);
    vec4 x = vec4(number_at(i), number_at(i + 1), number_at(i + 2), number_at(i + 3));
    if (arg_finite != 0) x = mix(x, vec4(0.0), bad(x));
    x = mix(x, vec4(0.0), equal(ivec4(equal(in_m(at), vec4(0.0))) * arg_masked, ivec4(1)));
    vec4 y = scalar_a * x;
    out_y = vec4(not_lost(y.x, x.x), not_lost(y.y, x.y), not_lost(y.z, x.z), not_lost(y.w, x.w));
}
