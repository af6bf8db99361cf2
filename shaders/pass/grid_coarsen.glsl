// c, e <- couplings along an axis between cells of a coarser grid, and theirs with given values, made of those of its cells. Parts of
// a cell are added up across the axis. Along it, where two are joined (ALONG is 2), half a part lies on the way to its middle:
//     1 / c = 1 / c_out + 1 / (2 c_in) + 1 / (2 c_next),      1 / e = 1 / e_i + 1 / (2 c_in)
// with c_in between the two parts, c_out from the second one on and c_next between the two that follow; none where a part has
// no partner. Resistances in series, each of the halves counted as no more than would leave half of what there was: that is
// what couplings that are all alike become, and where c_in is weak, interpolation that is constant must not find less than half of
// what it makes.
// Of axis z alone, or, TWO, of x and y. Which axis, as what is joined, is a constant: loops are unrolled then, and it takes half
// the time. Copies of the coarse grid may lie one behind the other, arg_planes planes in all, arg_depth of each.
//
// pass grid_coarsen: c, e <- couplings of a coarser grid along z
//     TWO: the same along x and along y
// out: c e, cy ey if TWO
// in: fine_c fine_e, fine_cy fine_ey if TWO
// integer: log2_width log2_x quarter rows quarter_x rows_x depth_x depth planes
// compiled: ALONG_X ALONG_Y ALONG_Z
vec4 fine_at(const int axis, bool of_e, ivec2 at) {
#ifdef TWO
    if (axis == 1) return of_e ? in_fine_ey_clamped(at) : in_fine_cy_clamped(at);
#endif
    return of_e ? in_fine_e_clamped(at) : in_fine_c_clamped(at);
}

// at: which four of a row, the row, the plane. None beyond the grid.
vec4 number_at(const int axis, bool of_e, ivec3 at) {
    vec4 v = fine_at(axis, of_e, place((at.z * arg_rows_x + at.y) * arg_quarter_x + at.x, arg_log2_x));
    return mix(vec4(0.0), v, bvec4(at.x < arg_quarter_x && at.y < arg_rows_x && at.z < arg_depth_x));
}

// The parts of four coarse cells in a row of the finer grid: one or two of each, side by side.
struct Parts {
    vec4 v, next;
};
Parts parts(const int axis, bool of_e, ivec3 at) {
    if (ALONG_X == 1) return Parts(number_at(axis, of_e, at), vec4(0.0));
    at.x *= 2;
    return Parts(number_at(axis, of_e, at), number_at(axis, of_e, at + ivec3(1, 0, 0)));
}

// The first part of each, or the second.
vec4 part(Parts p, int i) {
    if (ALONG_X == 1) return p.v;
    return i == 0 ? vec4(p.v.xz, p.next.xz) : vec4(p.v.yw, p.next.yw);
}

// What half a part adds to 1 in  c / (1 + ...)
vec4 half_a_part(vec4 c, vec4 within) { return quotient(0.5 * c, within); }

struct Couplings {
    vec4 c, e;
};
Couplings along(const int axis, ivec3 first) {
    const ivec3 along = ivec3(ALONG_X, ALONG_Y, ALONG_Z);
    ivec3 unit = ivec3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
    bool joined = (axis == 0 ? ALONG_X : axis == 1 ? ALONG_Y : ALONG_Z) == 2;
    ivec3 across = along - unit * (along - 1);
    vec4 c = vec4(0.0);
    vec4 e = vec4(0.0);
    for (int k = 0; k < across.z; ++k) {
        for (int j = 0; j < across.y; ++j) {
            ivec3 at = first + ivec3(0, j, k);
            Parts row = parts(axis, false, at);
            Parts row_e = parts(axis, true, at);
            // Where what is joined lies in other rows: those. Along x a row holds all.
            Parts second = row;
            Parts second_e = row_e;
            Parts third = row;
            if (joined && axis != 0) {
                second = parts(axis, false, at + unit);
                second_e = parts(axis, true, at + unit);
                third = parts(axis, false, at + 2 * unit);
            }
            for (int i = 0; i < across.x; ++i) {
                vec4 own = part(row, i);
                vec4 e_own = part(row_e, i);
                if (joined) {
                    vec4 beyond = part(second, axis == 0 ? 1 : i);
                    vec4 e_second = part(second_e, axis == 0 ? 1 : i);
                    vec4 next = part(third, i);
                    if (axis == 0) next = vec4(own.yzw, number_at(axis, false, ivec3(2 * at.x + 2, at.yz)).x);
                    c += beyond / (1.0 + min(half_a_part(beyond, own), vec4(0.5)) + min(half_a_part(beyond, next), vec4(0.5)));
                    e += e_own / (1.0 + min(half_a_part(e_own, own), vec4(1.0)));
                    e += e_second / (1.0 + min(half_a_part(e_second, own), vec4(1.0)));
                } else {
                    c += own;
                    e += e_own;
                }
            }
        }
    }
    return Couplings(c, e);
}

void kernel(ivec2 at) {
    int t = (at.y << arg_log2_width) + at.x;
    int line = divided(t, arg_quarter);
    int plane = divided(line, arg_rows);
    int z = plane - divided(plane, arg_depth) * arg_depth;
    ivec3 first = ivec3(t - line * arg_quarter, (line - plane * arg_rows) * ALONG_Y, z * ALONG_Z);
    bvec4 none = bvec4(plane >= arg_planes);
#ifdef TWO
    Couplings x = along(0, first);
    Couplings y = along(1, first);
    out_cy = mix(y.c, vec4(0.0), none);
    out_ey = mix(y.e, vec4(0.0), none);
#else
    Couplings x = along(2, first);
#endif
    out_c = mix(x.c, vec4(0.0), none);
    out_e = mix(x.e, vec4(0.0), none);
}
