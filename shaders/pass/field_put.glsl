// A component of a MultiVector <- a vector: texel i of y holds x_i there.
//
// pass field_put: a component of y <- the vector x
// out: y
// in: y x
// integer: log2_field log2_width length component
void kernel(ivec2 at) {
    int i = count_of(at, arg_log2_field);
    float x = NUMBER(in_x_clamped, i, arg_log2_width);
    bvec4 chosen = equal(ivec4(arg_component), ivec4(0, 1, 2, 3));
    out_y = mix(in_y(at), vec4(i < arg_length ? x : 0.0), chosen);  // padding stays zero
}
