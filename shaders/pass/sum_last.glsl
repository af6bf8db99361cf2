// y <- the sum of all texels of x; add_components: then the sum of its four components, in each of them
void kernel(ivec2 at) {
    vec4 sum = vec4(0.0);
    for (int j = 0; j < arg_height; ++j) {
        vec4 line = vec4(0.0);
        for (int i = 0; i < arg_width; ++i) line += in_x(ivec2(i, j));
        sum += line;
    }
    out_y = arg_add_components != 0 ? vec4((sum.x + sum.y) + (sum.z + sum.w)) : sum;
}
