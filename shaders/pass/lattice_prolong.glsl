// y <- y + P x, from blocks to the points of a lattice.
//
// pass lattice_prolong: y <- y + P x, with the weights of corners
//     DEEP: where corners lie behind along z, too
// out: y
// in: y x w0 w1 w2 w3, w4 w5 w6 w7 if DEEP
// integer: nx ny nz mx my mz log2_x log2_y
float x_of(ivec3 block) {
    return is_place(block, blocks()) ? NUMBER(in_x, number_of_place(block, blocks()), arg_log2_x) : 0.0;
}

void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_y);
    ivec3 block0 = befores(place_of(first, points()));
    ivec3 block1 = befores(place_of(first + 1, points()));
    ivec3 block2 = befores(place_of(first + 2, points()));
    ivec3 block3 = befores(place_of(first + 3, points()));
#define x_at(corner) vec4(x_of(block0 + corner), x_of(block1 + corner), x_of(block2 + corner), x_of(block3 + corner))
    vec4 y = in_y(at);
    y += in_w0(at) * x_at(ivec3(0));
    y += in_w1(at) * x_at(ivec3(1, 0, 0));
    y += in_w2(at) * x_at(ivec3(0, 1, 0));
    y += in_w3(at) * x_at(ivec3(1, 1, 0));
#ifdef DEEP
    y += in_w4(at) * x_at(ivec3(0, 0, 1));
    y += in_w5(at) * x_at(ivec3(1, 0, 1));
    y += in_w6(at) * x_at(ivec3(0, 1, 1));
    y += in_w7(at) * x_at(ivec3(1));
#endif
    out_y = y;
}
