// The coupling of each block J with its neighbour K = J + step in P^T A P, as sums over points i of  p_iJ (A P)_iK: what each
// point adds. A point adds to the blocks of all of its corners: u_c is what it adds to that of corner c. lattice_gather adds
// them up. With step 27 K is all blocks, which makes the row sums P^T A P 1.
// A's rows are summed as differences to the weight of the point itself, so that what cancels does so exactly:
//     (A P)_iK = s_i p_iK + sum over neighbours j of a_ij (p_jK - p_iK)
//
// integer: nx ny nz mx my mz log2_width log2_columns tile_height neighbours step
//
// pass lattice_product (STENCIL WEIGHTS): u0 ... u3 <- each point's part of a diagonal of P^T A P
// out: u0 u1 u2 u3
// in: a w0 w1 w2 w3
//
// pass lattice_product_before (STENCIL WEIGHTS DEEP): the same of corners before, along z
// out: u0 u1 u2 u3
// in: a w0 w1 w2 w3 w4 w5 w6 w7
//
// pass lattice_product_behind (STENCIL WEIGHTS DEEP BEHIND): u4 ... u7 <- the same of corners behind
// out: u4 u5 u6 u7
// in: a w0 w1 w2 w3 w4 w5 w6 w7
const int row_sums = 27;

float weight_of_corner(ivec3 corner, ivec2 texel, int lane) {
    bool has = is_within(corner.x, 0, 1) && is_within(corner.y, 0, 1) && is_within(corner.z, 0, 1);
    return has ? component(weights_of(number_of_corner(corner), texel), lane) : 0.0;
}

float sum_of_weights(ivec2 at, int lane) {
    vec4 sum = in_w0(at) + in_w1(at) + in_w2(at) + in_w3(at);
#ifdef DEEP
    sum += in_w4(at) + in_w5(at) + in_w6(at) + in_w7(at);
#endif
    return component(sum, lane);
}

// What a point is interpolated with from four blocks, of which `block` is the first; or from all together, four times.
vec4 weights_from(ivec3 block, ivec3 at) {
    int i = number_of_place(at, points());
    ivec2 texel = place(i >> 2, arg_log2_width);
    if (arg_step == row_sums) return vec4(sum_of_weights(texel, i & 3));
    ivec3 corner = block - befores(at);
    return vec4(weight_of_corner(corner, texel, i & 3), weight_of_corner(corner + ivec3(1, 0, 0), texel, i & 3),
                weight_of_corner(corner + ivec3(0, 1, 0), texel, i & 3), weight_of_corner(corner + ivec3(1, 1, 0), texel, i & 3));
}

vec4 rows_of_AP(int i, ivec3 block, ivec3 at) {
    vec4 own = weights_from(block, at);
    vec4 sum = vec4(0.0);
    int tile = 0;
    for (int k = 0; neighbours_from(k) != 0; ++k) {
        if (is_neighbour(k)) {
            float a = entry(i, tile);
            ++tile;
            if (a != 0.0) sum += a * (weights_from(block, at + step_of(k)) - own);
        }
    }
    return sum + entry(i, tile) * own;
}

void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_width);
    ivec3 step = arg_step == row_sums ? ivec3(0) : step_of(arg_step);
#ifdef BEHIND
    step += ivec3(0, 0, 1);
#endif
    vec4 of_x = vec4(0.0);  // A P for the four corners of each point
    vec4 of_y = vec4(0.0);
    vec4 of_z = vec4(0.0);
    vec4 of_w = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        ivec3 own = place_of(first + r, points());
        if (own.z < arg_nz) {
            vec4 row = rows_of_AP(first + r, befores(own) + step, own);
            of_x += in_lane(row.x, r);
            of_y += in_lane(row.y, r);
            of_z += in_lane(row.z, r);
            of_w += in_lane(row.w, r);
        }
    }
#ifdef BEHIND
    out_u4 = in_w4(at) * of_x;
    out_u5 = in_w5(at) * of_y;
    out_u6 = in_w6(at) * of_z;
    out_u7 = in_w7(at) * of_w;
#else
    out_u0 = in_w0(at) * of_x;
    out_u1 = in_w1(at) * of_y;
    out_u2 = in_w2(at) * of_z;
    out_u3 = in_w3(at) * of_w;
#endif
}
