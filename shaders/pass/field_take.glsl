// A vector <- a component of a MultiVector, whose texels i hold one number of each of four right-hand sides.
//
// pass field_take: y <- a component of x
// out: y
// in: x
// integer: log2_field log2_width length component
float number_at(int i) {
    float x = component(in_x_clamped(place(i, arg_log2_field)), arg_component);
    return i < arg_length ? x : 0.0;  // padding stays zero
}

void kernel(ivec2 at) {
    int i = 4 * ((at.y << arg_log2_width) + at.x);
    out_y = vec4(number_at(i), number_at(i + 1), number_at(i + 2), number_at(i + 3));
}
