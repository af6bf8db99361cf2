// y <- the sum of all texels of x, by one work group; add_components: then the sum of its four components, in each
void main() {
    vec4 term = vec4(0.0);
    for (int k = int(gl_LocalInvocationIndex); k < arg_width * arg_height; k += GROUP_SIZE) {
        term += in_x(ivec2(k % arg_width, k / arg_width));
    }
    vec4 sum = group_sum(term);
    if (arg_add_components != 0) sum = vec4((sum.x + sum.y) + (sum.z + sum.w));
    if (gl_LocalInvocationIndex == 0u) imageStore(i_y, ivec2(0), sum);
}
