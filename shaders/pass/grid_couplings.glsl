// c <- the coupling of each cell with the next one along an axis,  e <- what is left of it towards walls and open cells.
// What cells hold: positive: a coefficient, and the cell holds an unknown; negative: that times -1, and its value is 0; zero: solid.
//     c_ij = weight 2 k_i k_j / (k_i + k_j)      between the centres of two cells: half the way through each of them
//     e_i  = weight wall k_i                     to the value 0 on a wall (arg_dirichlet: bit 0 at the low end, bit 1 at the high one)
// Axis 3 is none: e <- weight in each unknown, the part of A that couples nothing.
// arg_alike, 1 or 0: all coefficients are 1, and only the sign of a cell counts: a mask of bytes may hold anything between 0 and 1.
// arg_halved, two bits for each axis, low end and high end: there the outermost unknowns lie on the wall, with half a volume and
// half of each face that ends at it.
//
// pass grid_couplings: c, e <- couplings of cells along one axis
// out: c e
// in: cells
// integer: log2_width quarter rows width height depth axis stride dirichlet halved
// constant: weight wall alike
// shares: grid
vec4 coefficient(vec4 cells) { return arg_alike != 0.0 ? sign(cells) : cells; }

vec4 cells_at(int t, int cell) {
    t += cell >> 2;
    vec4 k = in_cells_clamped(place(t, arg_log2_width));
    vec4 next = in_cells_clamped(place(t + 1, arg_log2_width));
    return coefficient(shifted(k, next, cell & 3));
}

vec4 halved(int bit, bvec4 there) { return (arg_halved >> bit & 1) != 0 ? mix(vec4(1.0), vec4(0.5), there) : vec4(1.0); }

// Of the unknowns i of an axis with so many: what is left where it ends.
vec4 left_at_ends(int axis, ivec4 i, int count) {
    if (axis == arg_axis) return vec4(1.0);
    return halved(2 * axis, equal(i, ivec4(0))) * halved(2 * axis + 1, equal(i, ivec4(count - 1)));
}

vec4 harmonic(vec4 k, vec4 other) { return 2.0 * k * quotient(other, k + other); }

void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int line = divided(t, arg_quarter);
    int z = divided(line, arg_rows);
    int y = line - z * arg_rows;
    ivec4 x = ivec4(4 * (t - line * arg_quarter)) + ivec4(0, 1, 2, 3);
    bvec4 on_grid = bvec4(y < arg_height && z < arg_depth);
    on_grid = equal(ivec4(on_grid) * ivec4(lessThan(x, ivec4(arg_width))), ivec4(1));
    vec4 k = max(mix(vec4(0.0), coefficient(in_cells(at)), on_grid), vec4(0.0));
    bvec4 unknown = greaterThan(k, vec4(0.0));
    vec4 c = vec4(0.0);
    vec4 e = vec4(0.0);
    if (arg_axis == 3) {
        e = vec4(arg_weight);
    } else {
        ivec4 i = arg_axis == 0 ? x : ivec4(arg_axis == 1 ? y : z);
        int count = arg_axis == 0 ? arg_width : arg_axis == 1 ? arg_height : arg_depth;
        bvec4 first = equal(i, ivec4(0));
        bvec4 last = equal(i, ivec4(count - 1));
        vec4 next = mix(cells_at(t, arg_stride), vec4(0.0), last);
        vec4 previous = mix(cells_at(t, -arg_stride), vec4(0.0), first);
        c = arg_weight * harmonic(k, max(next, vec4(0.0)));
        e = arg_weight * (harmonic(k, max(-next, vec4(0.0))) + harmonic(k, max(-previous, vec4(0.0))));
        vec4 wall = arg_weight * arg_wall * k;
        if ((arg_dirichlet & 1) != 0) e += mix(vec4(0.0), wall, first);
        if ((arg_dirichlet & 2) != 0) e += mix(vec4(0.0), wall, last);
    }
    vec4 share = left_at_ends(0, x, arg_width) * left_at_ends(1, ivec4(y), arg_height) * left_at_ends(2, ivec4(z), arg_depth);
    out_c = mix(vec4(0.0), share * c, unknown);
    out_e = mix(vec4(0.0), share * e, unknown);
}
