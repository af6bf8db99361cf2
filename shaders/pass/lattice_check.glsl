// y <- what has to be known of each four rows of A before the next level is made:
//     x        the largest sum of sizes of a row over its diagonal; 1e30 where that is not positive
//     y, z, w  1 where a point is not coupled strongly with the next one along that axis (joined_axes in amg/lattice.cpp), but
//              for the outermost
//     d: 1 / a_ii
// There are no blocks yet: arg_mx ... are as arg_nx.
//
// pass lattice_check (STENCIL): y <- a bound of the spectrum of D^-1 A, and which axes are coupled weakly
// out: y
// in: a d
// integer: nx ny nz mx my mz log2_width log2_columns tile_height neighbours
// constant: strong
float reciprocal(int i) { return NUMBER(in_d, i, arg_log2_width); }

bool is_outermost_of(int p, int n) { return n > 4 && (p == 0 || p == n - 1); }
bool is_outermost(ivec3 at) {
    return is_outermost_of(at.x, arg_nx) || is_outermost_of(at.y, arg_ny) || is_outermost_of(at.z, arg_nz);
}
float is_weak(float coupling, int i, ivec3 to, ivec3 size) {
    if (!is_place(to, size) || is_outermost(to)) return 0.0;
    float other = reciprocal(number_of_place(to, size));
    return (coupling * reciprocal(i)) * (coupling * other) > arg_strong * arg_strong ? 0.0 : 1.0;
}

void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_width);
    ivec3 size = points();
    vec4 most = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        int i = first + r;
        ivec3 own = place_of(i, size);
        if (own.z < arg_nz) {
            float others = 0.0;
            float sizes = 0.0;
            float x = 0.0;
            float y = 0.0;
            float z = 0.0;
            int tile = 0;
            for (int k = 0; neighbours_from(k) != 0; ++k) {
                if (is_neighbour(k)) {
                    float a = entry(i, tile);
                    ++tile;
                    ivec3 step = step_of(k);
                    others += a;
                    sizes += abs(a);
                    x += step.x == 1 ? a : 0.0;
                    y += step.y == 1 ? a : 0.0;
                    z += step.z == 1 ? a : 0.0;
                }
            }
            float diagonal = entry(i, tile) - others;
            float bound = diagonal > 0.0 ? (sizes + diagonal) / diagonal : 1e30;
            vec4 found = vec4(bound, 0.0, 0.0, 0.0);
            if (!is_outermost(own)) {
                found = vec4(bound, is_weak(x, i, own + ivec3(1, 0, 0), size), is_weak(y, i, own + ivec3(0, 1, 0), size),
                             is_weak(z, i, own + ivec3(0, 0, 1), size));
            }
            most = max(most, found);
        }
    }
    out_y = most;
}
