// y <- value; the padding behind the last number stays zero.
//
// pass fill: y <- value, padding stays zero
// out: y
// integer: length log2_width
// constant: value
// shares: texel
void kernel(ivec2 at) {
    int first = ((at.y << arg_log2_width) + at.x) * 4;  // number of the texel's first component
    ivec4 number = ivec4(first) + ivec4(0, 1, 2, 3);
    out_y = mix(vec4(0.0), vec4(arg_value), lessThan(number, ivec4(arg_length)));
}
