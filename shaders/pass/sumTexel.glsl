// The first texel <- the sum of all texels of x (Xia and Wei 2009, section 3.2): one fragment adds them one after the other.
// As published: four long sums, whose rounding errors pile up. `sum` is what glsolve uses.
//
// pass sumTexel: y <- the sum of all texels of x, one after the other
// out: y
// in: x
// integer: width height
void kernel(ivec2 at) {
    vec4 sum = vec4(0.0);
    for (int j = 0; j < arg_height; ++j) {
        int i = 0;
        for (; i + 16 <= arg_width; i += 16) {  // Mesa's llvmpipe ends all loops of a shader after 65,535 rounds
            for (int k = 0; k < 16; ++k) sum += in_x(ivec2(i + k, j));
        }
        for (; i < arg_width; ++i) sum += in_x(ivec2(i, j));
    }
    out_y = sum;
}
