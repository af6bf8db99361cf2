// d <- the reciprocals of A's diagonal; 0 where it is not positive.
//     a, SUMS, TILES:  as in lattice_weights
//
// pass lattice_diagonal: d <- 1 / a_ii, of tiles
// out: d
// in: a
// integer: log2_width log2_columns tile_height
// compiled: SUMS TILES:list
const int tile_of[27] = int[27](TILES);

void kernel(ivec2 at) {
    vec4 diagonal = in_a(tile_corner(SUMS) + at);
    for (int k = 0; k < 27; ++k) {
        if (tile_of[k] >= 0) diagonal -= in_a(tile_corner(max(tile_of[k], 0)) + at);
    }
    bvec4 fits = greaterThan(diagonal, vec4(0.0));
    out_d = mix(vec4(0.0), 1.0 / mix(vec4(1.0), diagonal, fits), fits);
}
