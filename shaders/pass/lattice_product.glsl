// y <- a diagonal of P^T A P: what couples each block with its neighbour `step`; or, with step 27, the row sums P^T A P 1.
// A's rows are summed as differences to the weight of the point itself, so that what cancels does so exactly:
//     (A P)_ij = s_i p_ij + sum over neighbours k of a_ik (p_kj - p_ij)
//
// pass lattice_product (STENCIL WEIGHTS): y <- a diagonal of P^T A P
//     DEEP: where corners lie behind along z, too
// out: y
// in: a w0 w1 w2 w3, w4 w5 w6 w7 if DEEP
// integer: nx ny nz mx my mz log2_width log2_columns tile_height neighbours log2_y step
vec4 sum_of_weights(ivec2 at) {
    vec4 sum = in_w0(at) + in_w1(at) + in_w2(at) + in_w3(at);
#ifdef DEEP
    sum += in_w4(at) + in_w5(at) + in_w6(at) + in_w7(at);
#endif
    return sum;
}

// What a point is interpolated with from a block; or from all.
float weight(ivec3 at, ivec3 block, bool all_blocks) {
    ivec3 corner = block - befores(at);
    bool has = is_within(corner.x, 0, 1) && is_within(corner.y, 0, 1) && is_within(corner.z, 0, 1);
    if (!has && !all_blocks) return 0.0;
    int i = number_of_place(at, points());
    ivec2 texel = place(i >> 2, arg_log2_width);
    if (all_blocks) return component(sum_of_weights(texel), i & 3);
    return component(weights_of(number_of_corner(corner), texel), i & 3);
}

float coupling(ivec3 block, ivec3 other, bool all_blocks) {
    ivec3 from = max(centres(block) - reaches(), ivec3(0));
    ivec3 to = min(centres(block) + reaches(), points() - 1);
    if (!all_blocks) {
        from = max(from, centres(other) - reaches() - 1);
        to = min(to, centres(other) + reaches() + 1);
    }
    float sum = 0.0;
    for (int z = from.z; z <= to.z; ++z) {
        for (int y = from.y; y <= to.y; ++y) {
            for (int x = from.x; x <= to.x; ++x) {
                ivec3 at = ivec3(x, y, z);
                float p = weight(at, block, false);
                if (p != 0.0) {
                    int i = number_of_place(at, points());
                    float own = weight(at, other, all_blocks);
                    float product = 0.0;
                    int tile = 0;
                    for (int k = 0; neighbours_from(k) != 0; ++k) {
                        if (is_neighbour(k)) {
                            float a = entry(i, tile);
                            ++tile;
                            if (a != 0.0) product += a * (weight(at + step_of(k), other, all_blocks) - own);
                        }
                    }
                    sum += p * (product + entry(i, tile) * own);
                }
            }
        }
    }
    return sum;
}

void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_y);
    bool all_blocks = arg_step == 27;
    ivec3 step = all_blocks ? ivec3(0) : step_of(arg_step);
    vec4 y = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        ivec3 block = place_of(first + r, blocks());
        if (block.z < arg_mz && is_place(block + step, blocks())) {
            y += in_lane(coupling(block, block + step, all_blocks), r);
        }
    }
    out_y = y;
}
