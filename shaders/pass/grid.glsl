// y <- A x on a grid, without a matrix:
//     (A x)_i = a_i x_i + sum over the neighbours j of c_ij (x_i - x_j)
// Cells lie row after row, each row of them 4 arg_quarter cells long, a plane arg_plane texels. cx, cy and cz couple a cell with
// the next one along an axis, and are zero at the end of a row, of a plane, and of all.
//
// CONSTANT: all couplings are 1, also those with cells that hold no unknown, where x is zero; a_i makes up for those that are not
// there, and is below NO_UNKNOWN in such cells (src/device/no_unknown.hpp).
// SPACE: there is a z axis.
//
// product grid (OWN_DIAGONAL): multiply multiply_dot residual multiply_two_float residual_two_float relax relax_twice chebyshev chebyshev_norms multiply_dots field relax_field relax_twice_field
// structure: cx cy cz
// integer: log2_width quarter plane differences length
// compiled: CONSTANT:switch SPACE:flag

// The texel of x so many texels on.
#ifdef FIELD
number x_across(int t, int texels) { return x_texel(texel_of_x(t), 4 * texels); }
#else
number x_across(int t, int texels) { return x_texel(t, texels); }
#endif

#ifdef CONSTANT
// row <- row + 2 x_i - x_j - x_k
void add_neighbours(inout Row row, number x_j, number x_k, number here) {
    number one = number_of(vec2(1.0, 0.0));
    add(row, plus(minus(here, x_j), minus(here, x_k)));
    add_size(row, one, x_j, here);
    add_size(row, one, x_k, here);
}
#else
void add_neighbour(inout Row row, vec4 c, number x_j, number here) {
    number c_here = without_low(of_lane(c));
    add_product(row, c_here, minus(here, x_j));
    add_size(row, c_here, x_j, here);
}

// Couplings in front of the first cell are none.
ivec2 before(int t, int texels) { return place(t - texels, LOG2_WIDTH); }
#endif

void kernel(ivec2 at) {
    int t = rows_at(at);
    ivec2 rows = place_of_rows(at);
    number here = x_texel(texel_of_x(t), 0);
    vec4 a = of_lane(in_a(rows));
    Row row = empty_row();
#ifdef CONSTANT
    bvec4 unknown = greaterThan(a, vec4(NO_UNKNOWN));
    add_term(row, without_low(mix(vec4(0.0), a, unknown)), here, zero());
    add_neighbours(row, x_run(t, -1), x_run(t, 1), here);
    add_neighbours(row, x_across(t, -arg_quarter), x_across(t, arg_quarter), here);
    if (SPACE) add_neighbours(row, x_across(t, -arg_plane), x_across(t, arg_plane), here);
    row.sum = where(unknown, row.sum);
    row.rest = mix(vec4(0.0), row.rest, unknown);
    row.size = mix(vec4(0.0), row.size, unknown);
    float around = SPACE ? 6.0 : 4.0;
    reciprocal_diagonal = mix(vec4(0.0), quotient(vec4(1.0), a + around), unknown);
#else
    add_term(row, without_low(a), here, zero());
    vec4 cx = in_cx(rows);
    vec4 cx_before = shifted(or_none(in_cx_clamped(before(t, 1)), t, 1), cx, 3);
    add_neighbour(row, cx_before, x_run(t, -1), here);
    add_neighbour(row, cx, x_run(t, 1), here);
    vec4 cy = in_cy(rows);
    vec4 cy_before = or_none(in_cy_clamped(before(t, arg_quarter)), t, arg_quarter);
    add_neighbour(row, cy_before, x_across(t, -arg_quarter), here);
    add_neighbour(row, cy, x_across(t, arg_quarter), here);
    vec4 around = (cx + cx_before) + (cy + cy_before);
    if (SPACE) {
        vec4 cz = in_cz(rows);
        vec4 cz_before = or_none(in_cz_clamped(before(t, arg_plane)), t, arg_plane);
        add_neighbour(row, cz_before, x_across(t, -arg_plane), here);
        add_neighbour(row, cz, x_across(t, arg_plane), here);
        around += cz + cz_before;
    }
    reciprocal_diagonal = quotient(vec4(1.0), a + of_lane(around));
#endif
    store_product(at, padded(here, at), without_padding(row, at));
}
