// A component of a Field <- a vector: texel i of y holds x_i there.
void kernel(ivec2 at) {
    int i = (at.y << arg_log2_field) + at.x;
    float x = component(in_x_clamped(place(i >> 2, arg_log2_width)), i & 3);
    bvec4 chosen = equal(ivec4(arg_component), ivec4(0, 1, 2, 3));
    out_y = mix(in_y(at), vec4(i < arg_length ? x : 0.0), chosen);  // padding stays zero
}
