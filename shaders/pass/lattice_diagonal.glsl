// d <- the reciprocals of A's diagonal, 0 where it is not positive. In a: tiles of the other diagonals, and last of row sums.
//
// pass lattice_diagonal: d <- 1 / a_ii, of tiles
// out: d
// in: a
// integer: log2_width log2_columns tile_height sums

void kernel(ivec2 at) {
    vec4 diagonal = in_a(tile_corner(arg_sums) + at);
    for (int tile = 0; tile < arg_sums; ++tile) diagonal -= in_a(tile_corner(tile) + at);
    bvec4 fits = greaterThan(diagonal, vec4(0.0));
    out_d = mix(vec4(0.0), 1.0 / mix(vec4(1.0), diagonal, fits), fits);
}
