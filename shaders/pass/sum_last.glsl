// y <- the sum of all texels of x; add_components: then the sum of its four components, in each of them
// In pieces of 32, so that rounding errors do not pile up along a line.
void kernel(ivec2 at) {
    vec4 sum = vec4(0.0);
    for (int j = 0; j < arg_height; ++j) {
        vec4 line = vec4(0.0);
        for (int begin = 0; begin < arg_width; begin += 32) {
            vec4 piece = vec4(0.0);
            int end = min(begin + 32, arg_width);
            for (int i = begin; i < end; ++i) piece += in_x(ivec2(i, j));
            line += piece;
        }
        sum += line;
    }
    out_y = arg_add_components != 0 ? vec4((sum.x + sum.y) + (sum.z + sum.w)) : sum;
}
