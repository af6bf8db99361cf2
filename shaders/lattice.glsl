// Points of a lattice, arg_nx x arg_ny x arg_nz of them, and blocks of three along each axis that is joined: arg_mx x arg_my x
// arg_mz (src/amg/lattice.hpp). Between the centres of two blocks a point is interpolated from both, along each axis: its corner 0
// is the block before it, its corner 1 the one behind. A centre has corner 0 only, its own block, and so has every point of an
// axis that is not joined. The weights of corner (x, y, z) are the vector w0 ... w7 of number x + 2 y + 4 z.
ivec3 points() { return ivec3(arg_nx, arg_ny, arg_nz); }
ivec3 blocks() { return ivec3(arg_mx, arg_my, arg_mz); }

ivec3 place_of(int i, ivec3 size) {
    int line = divided(i, size.x);
    int plane = divided(line, size.y);
    return ivec3(i - line * size.x, line - plane * size.y, plane);
}
int number_of_place(ivec3 at, ivec3 size) { return (at.z * size.y + at.y) * size.x + at.x; }
bool is_within(int p, int first, int last) { return first <= p && p <= last; }
bool is_place(ivec3 at, ivec3 size) {
    return is_within(at.x, 0, size.x - 1) && is_within(at.y, 0, size.y - 1) && is_within(at.z, 0, size.z - 1);
}

// Along one axis of n points and m blocks: does point p lie between centres, and which block is its corner 0?
int between(int p, int n, int m) { return m < n && p - 3 * (p / 3) != 1 ? 1 : 0; }
int before(int p, int n, int m) { return m == n ? p : between(p, n, m) != 0 ? (p + 1) / 3 - 1 : p / 3; }
// How far the points that are interpolated from a block are from its centre, which is this point.
int reach(int n, int m) { return m < n ? 2 : 0; }
int centre(int block, int n, int m) { return m < n ? 3 * block + 1 : block; }
ivec3 befores(ivec3 at) {
    return ivec3(before(at.x, arg_nx, arg_mx), before(at.y, arg_ny, arg_my), before(at.z, arg_nz, arg_mz));
}
ivec3 centres(ivec3 block) {
    return ivec3(centre(block.x, arg_nx, arg_mx), centre(block.y, arg_ny, arg_my), centre(block.z, arg_nz, arg_mz));
}
ivec3 reaches() { return ivec3(reach(arg_nx, arg_mx), reach(arg_ny, arg_my), reach(arg_nz, arg_mz)); }

int number_of_corner(ivec3 corner) { return corner.x + 2 * corner.y + 4 * corner.z; }
ivec3 corner_of(int c) { return ivec3(c & 1, (c >> 1) & 1, c >> 2); }

// The step to neighbour k = 0 ... 26 of a point, x fastest.
ivec3 step_of(int k) { return ivec3(k - 3 * (k / 3) - 1, k / 3 - 3 * (k / 9) - 1, k / 9 - 1); }

// A number in lane r of a texel, and zeros.
vec4 in_lane(float number, int r) { return mix(vec4(0.0), vec4(number), equal(ivec4(0, 1, 2, 3), ivec4(r))); }

// The matrix: a tile of `a` for each neighbour that points have, in their order, and behind them the tile of the row sums. A number is
// zero where the neighbour is none of the lattice. So the way through a row is
//     int tile = 0;
//     for (int k = 0; neighbours_from(k) != 0; ++k) if (is_neighbour(k)) ... entry(i, tile), and ++tile;
#ifdef STENCIL
int neighbours_from(int k) { return arg_neighbours >> k; }
bool is_neighbour(int k) { return (neighbours_from(k) & 1) != 0; }
float entry(int i, int tile) { return component(in_a(tile_corner(tile) + place(i >> 2, arg_log2_width)), i & 3); }
#endif
#ifdef WEIGHTS
vec4 weights_of(int corner, ivec2 at) {
    if (corner == 0) return in_w0(at);
    if (corner == 1) return in_w1(at);
    if (corner == 2) return in_w2(at);
    if (corner == 3) return in_w3(at);
#ifdef DEEP
    if (corner == 4) return in_w4(at);
    if (corner == 5) return in_w5(at);
    if (corner == 6) return in_w6(at);
    if (corner == 7) return in_w7(at);
#endif
    return vec4(0.0);
}
#endif
