// y <- P^T x, from the points of a lattice to blocks.
//
// integer: nx ny nz mx my mz log2_x log2_y
//
// pass lattice_restrict (WEIGHTS): y <- P^T x, with the weights of corners
//     DEEP: where corners lie behind along z, too
// out: y
// in: x w0 w1 w2 w3, w4 w5 w6 w7 if DEEP
//
// pass lattice_gather (WEIGHTS ALONE): the same where the vectors of corners are what weights have been multiplied by
//     DEEP: where corners lie behind along z, too
// out: y
// in: w0 w1 w2 w3, w4 w5 w6 w7 if DEEP
float gathered(ivec3 block) {
    ivec3 from = max(centres(block) - reaches(), ivec3(0));
    ivec3 to = min(centres(block) + reaches(), points() - 1);
    float sum = 0.0;
    for (int z = from.z; z <= to.z; ++z) {
        for (int y = from.y; y <= to.y; ++y) {
            for (int x = from.x; x <= to.x; ++x) {
                ivec3 at = ivec3(x, y, z);
                int i = number_of_place(at, points());
                ivec2 texel = place(i >> 2, arg_log2_x);
                vec4 product = weights_of(number_of_corner(block - befores(at)), texel);
#ifndef ALONE
                product *= in_x(texel);
#endif
                sum += component(product, i & 3);
            }
        }
    }
    return sum;
}

void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_y);
    vec4 y = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        ivec3 block = place_of(first + r, blocks());
        if (block.z < arg_mz) y += in_lane(gathered(block), r);
    }
    out_y = y;
}
