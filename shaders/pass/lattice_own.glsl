// w0 ... w3 <- 1 from the block that a point is in, 0 from others: interpolation where nothing better is known. Or w4 ... w7, of
// the corners behind along z.
//
// pass lattice_own: w0 ... w3 <- weights of one from own blocks
// out: w0 w1 w2 w3
// integer: nx ny nz mx my mz log2_width behind
int own_corner(int p, int n, int m) { return m < n ? min(p / 3, m - 1) - before(p, n, m) : 0; }

void kernel(ivec2 at) {
    int first = 4 * count_of(at, arg_log2_width);
    vec4 corner = vec4(0.0);
    for (int r = 0; r < 4; ++r) {
        ivec3 own = place_of(first + r, points());
        ivec3 of_block = ivec3(own_corner(own.x, arg_nx, arg_mx), own_corner(own.y, arg_ny, arg_my), own_corner(own.z, arg_nz, arg_mz));
        int c = own.z < arg_nz ? number_of_corner(of_block) - 4 * arg_behind : -1;
        corner += in_lane(float(c), r);
    }
    out_w0 = mix(vec4(0.0), vec4(1.0), equal(corner, vec4(0.0)));
    out_w1 = mix(vec4(0.0), vec4(1.0), equal(corner, vec4(1.0)));
    out_w2 = mix(vec4(0.0), vec4(1.0), equal(corner, vec4(2.0)));
    out_w3 = mix(vec4(0.0), vec4(1.0), equal(corner, vec4(3.0)));
}
