// a <- e_x + e_y + e_z + mass,  d <- 1 / (a + all couplings of the cell), or 0 where there is none.
// With arg_constant, where couplings that are not there are counted as well (shaders/pass/grid.glsl), a makes up for them,
//     a <- e_x + e_y + e_z + mass + sum over the faces of c - weight,  or SUM_OF_NONE (src/device/no_unknown.hpp)
// where all numbers are small integers: nothing is rounded then (src/grid/grid_operator.hpp).
//
// pass grid_diagonal: a <- row sums, d <- 1 / diagonal
// out: a d
// in: cx cy cz ex ey ez mass
// integer: log2_width quarter plane dimensions constant
// constant: weight_x weight_y weight_z
// shares: grid

ivec2 before(int t, int texels) { return place(t - texels, arg_log2_width); }

void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    vec4 x = in_cx(at);
    vec4 x_before = shifted(or_none(in_cx_clamped(before(t, 1)), t, 1), x, 3);
    vec4 y = in_cy(at);
    vec4 y_before = or_none(in_cy_clamped(before(t, arg_quarter)), t, arg_quarter);
    vec4 around = (x + x_before) + (y + y_before);
    vec4 missing = ((x - arg_weight_x) + (x_before - arg_weight_x)) + ((y - arg_weight_y) + (y_before - arg_weight_y));
    vec4 excess = in_ex(at) + in_ey(at);
    if (arg_dimensions == 3) {
        vec4 z = in_cz(at);
        vec4 z_before = or_none(in_cz_clamped(before(t, arg_plane)), t, arg_plane);
        around += z + z_before;
        missing += (z - arg_weight_z) + (z_before - arg_weight_z);
        excess += in_ez(at);
    }
    excess += in_mass(at);
    vec4 diagonal = excess + around;
    vec4 corrected = mix(vec4(SUM_OF_NONE), excess + missing, greaterThan(diagonal, vec4(0.0)));
    out_a = arg_constant != 0 ? corrected : excess;
    out_d = quotient(vec4(1.0), diagonal);
}
