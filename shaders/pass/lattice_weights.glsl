// Interpolation from the centres of blocks, by elimination: between two centres on a line, or four of a plane, or eight in space,
// A P = 0, where couplings across the line, or the plane, count as if all were constant there (src/amg/block_interpolation.cpp).
// It is done for points that are between centres along OFF axes. Those along fewer axes have their weights already. Where no
// solution is fit for weights, they stay.
// Up to two unknowns along each axis make a gap; their equations are M W = R, with a column of R for each corner of the gap.
//
// integer: nx ny nz mx my mz log2_width log2_columns tile_height neighbours
// compiled: OFF
//
// pass lattice_weights (STENCIL WEIGHTS): w0 ... w3 <- interpolation between centres along some axes
// out: w0 w1 w2 w3
// in: a w0 w1 w2 w3
//
// pass lattice_weights_before (STENCIL WEIGHTS DEEP): the same of corners before, along z
// out: w0 w1 w2 w3
// in: a w0 w1 w2 w3 w4 w5 w6 w7
//
// pass lattice_weights_behind (STENCIL WEIGHTS DEEP BEHIND): w4 ... w7 <- the same of corners behind
// out: w4 w5 w6 w7
// in: a w0 w1 w2 w3 w4 w5 w6 w7
const int most = OFF == 1 ? 2 : OFF == 2 ? 4 : 8;  // unknowns, and corners
const int quads = (most + 3) / 4;                  // texels for so many numbers

// The first and the last point of the gap along an axis; of a centre, itself.
int first_of_gap(int p, int n, int m) { return between(p, n, m) == 0 ? p : max(3 * before(p, n, m) + 2, 0); }
int last_of_gap(int p, int n, int m) { return between(p, n, m) == 0 ? p : min(3 * before(p, n, m) + 3, n - 1); }
int lies(int p, int first, int last) { return is_within(p, first, last) ? 1 : 0; }
bool is_at_end(int p, int n) { return p == 0 || p == n - 1; }

struct Found {
    vec4 low, high;  // the weights of corners before and behind, along z
    bool fits;
};

// Corner number t of a point that has two along these axes.
ivec3 corner_along(ivec3 has_two, int t) {
    return has_two * ivec3(t & 1, (t >> has_two.x) & 1, (t >> (has_two.x + has_two.y)) & 1);
}

// Of a point that lies between centres along the axes `off`. All fragments go the same way, and store where the others do: softpipe
// takes the index of the first of four for all.
Found eliminated(ivec3 own, ivec3 off) {
    ivec3 first = ivec3(first_of_gap(own.x, arg_nx, arg_mx), first_of_gap(own.y, arg_ny, arg_my), first_of_gap(own.z, arg_nz, arg_mz));
    ivec3 last = ivec3(last_of_gap(own.x, arg_nx, arg_mx), last_of_gap(own.y, arg_ny, arg_my), last_of_gap(own.z, arg_nz, arg_mz));
    ivec3 count = last - first + 1;
    ivec3 line = ivec3(1, count.x, count.x * count.y);                      // of unknowns
    ivec3 column = ivec3(off.x, off.y << off.x, off.z << (off.x + off.y));  // of corners
    int unknowns = line.z * count.z;
    vec4 M[most * quads];
    vec4 R[most * quads];
    vec4 size[quads];  // of the numbers on A's diagonal
    for (int q = 0; q < quads; ++q) size[q] = vec4(0.0);
    for (int u = 0; u < most; ++u) {
        bool is_there = u < unknowns;
        int here = is_there ? u : 0;
        int plane_of_u = here / line.z;
        int line_of_u = here / line.y;
        ivec3 p = first + ivec3(here - line_of_u * line.y, line_of_u - plane_of_u * count.y, plane_of_u);
        int row = number_of_place(p, points());
        for (int q = 0; q < quads; ++q) {
            M[u * quads + q] = vec4(0.0);
            R[u * quads + q] = vec4(0.0);
        }
        float within = 0.0;  // of couplings with the point itself, seen from its line or plane
        float others = 0.0;
        float inwards = 0.0;  // away from where the lattice ends beside the line
        int tile = 0;
        for (int k = 0; neighbours_from(k) != 0; ++k) {
            if (is_neighbour(k)) {
                ivec3 step = step_of(k);
                ivec3 to = p + off * step;  // constant across a line, or a plane
                ivec3 inside = ivec3(lies(to.x, first.x, last.x), lies(to.y, first.y, last.y), lies(to.z, first.z, last.z));
                float a = entry(row, tile);
                ++tile;
                others += a;
                bool leaves_end = (off.x == 0 && step.x != 0 && is_at_end(p.x, arg_nx))
                                  || (off.y == 0 && step.y != 0 && is_at_end(p.y, arg_ny))
                                  || (off.z == 0 && step.z != 0 && is_at_end(p.z, arg_nz));
                inwards += leaves_end ? a : 0.0;
                bool is_unknown = inside.x + inside.y + inside.z == 3;
                ivec3 from = (to - first) * line;
                int j = is_unknown ? from.x + from.y + from.z : -1;
                within += j == here ? a : 0.0;
                for (int q = 0; q < quads; ++q) M[u * quads + q] += in_lane(a, j - 4 * q);
                // Or from a point that has its weights: of its own corners along axes on which it is in the gap; on others it is one.
                bool is_known = !is_unknown && a != 0.0;
                ivec3 beside = ivec3(to.x > last.x ? 1 : 0, to.y > last.y ? 1 : 0, to.z > last.z ? 1 : 0);
                ivec3 has_two = inside * off;
                int corners = is_known ? 1 << (has_two.x + has_two.y + has_two.z) : 0;
                int known = is_known ? number_of_place(to, points()) : 0;
                for (int t = 0; t < most / 2; ++t) {
                    ivec3 corner = corner_along(has_two, t);
                    ivec3 of_gap = (corner + beside) * column;
                    int i = t < corners ? of_gap.x + of_gap.y + of_gap.z : -1;
                    float w = component(weights_of(number_of_corner(corner), place(known >> 2, arg_log2_width)), known & 3);
                    for (int q = 0; q < quads; ++q) R[u * quads + q] -= in_lane(a * w, i - 4 * q);
                }
            }
        }
        float sum = entry(row, tile);
        float diagonal = sum - others;
        // A boundary beside the line holds the point by what is left of the row's sum, at most by as much as the neighbour on
        // the other side does; along the line it does not count.
        bool is_held = sum * (within + diagonal) > 0.0 && inwards * (within + diagonal) < 0.0;
        float hold = is_held ? (abs(sum) < abs(inwards) ? sum : -inwards) : 0.0;
        for (int q = 0; q < quads; ++q) {
            M[u * quads + q] = is_there ? M[u * quads + q] + in_lane(diagonal - hold, u - 4 * q) : in_lane(1.0, u - 4 * q);
            R[u * quads + q] = is_there ? R[u * quads + q] : vec4(0.0);
            size[q] += in_lane(is_there ? abs(diagonal) : 1.0, u - 4 * q);
        }
    }
    bool fits = true;
    for (int p = 0; p < most; ++p) {
        float pivot = component(M[p * quads + (p >> 2)], p & 3);
        fits = fits && abs(pivot) > 16.0 * UNIT_ROUNDOFF * component(size[p >> 2], p & 3);
        for (int u = p + 1; u < most; ++u) {
            float factor = component(M[u * quads + (p >> 2)], p & 3) / pivot;
            for (int q = 0; q < quads; ++q) {
                M[u * quads + q] -= factor * M[p * quads + q];
                R[u * quads + q] -= factor * R[p * quads + q];
            }
        }
    }
    for (int p = most - 1; p >= 0; --p) {
        for (int j = p + 1; j < most; ++j) {
            float m = component(M[p * quads + (j >> 2)], j & 3);
            for (int q = 0; q < quads; ++q) R[p * quads + q] -= m * R[j * quads + q];
        }
        float pivot = component(M[p * quads + (p >> 2)], p & 3);
        float total = 0.0;
        for (int q = 0; q < quads; ++q) {
            R[p * quads + q] = R[p * quads + q] / pivot;
            total += dot(abs(R[p * quads + q]), vec4(1.0));
        }
        fits = fits && total <= 2.0;  // more is no interpolation
    }
    ivec3 mine = (own - first) * line;
    int u = mine.x + mine.y + mine.z;
    Found found;
    found.low = vec4(0.0);
    found.high = vec4(0.0);
    found.fits = fits;
    for (int t = 0; t < most; ++t) {
        int c = number_of_corner(corner_along(off, t));  // t is its column, too
        vec4 weight = in_lane(component(R[u * quads + (t >> 2)], t & 3), c & 3);
        found.low += c < 4 ? weight : vec4(0.0);
        found.high += c < 4 ? vec4(0.0) : weight;
    }
    return found;
}

void kernel(ivec2 at) {
    int number = 4 * count_of(at, arg_log2_width);
#ifdef BEHIND
    vec4 w0 = in_w4(at);
    vec4 w1 = in_w5(at);
    vec4 w2 = in_w6(at);
    vec4 w3 = in_w7(at);
#else
    vec4 w0 = in_w0(at);
    vec4 w1 = in_w1(at);
    vec4 w2 = in_w2(at);
    vec4 w3 = in_w3(at);
#endif
    for (int r = 0; r < 4; ++r) {
        ivec3 own = place_of(number + r, points());
        ivec3 off = ivec3(between(own.x, arg_nx, arg_mx), between(own.y, arg_ny, arg_my), between(own.z, arg_nz, arg_mz));
        bool takes_part = off.x + off.y + off.z == OFF && own.z < arg_nz;
#ifdef HAS_RUNS  // the host takes texels one by one
        if (!takes_part) continue;
#endif
        Found found = eliminated(takes_part ? own : ivec3(0), takes_part ? off : ivec3(0));
#ifdef BEHIND
        vec4 w = found.high;
#else
        vec4 w = found.low;
#endif
        bvec4 lane = equal(ivec4(0, 1, 2, 3), ivec4(takes_part && found.fits ? r : -1));
        w0 = mix(w0, vec4(w.x), lane);
        w1 = mix(w1, vec4(w.y), lane);
        w2 = mix(w2, vec4(w.z), lane);
        w3 = mix(w3, vec4(w.w), lane);
    }
#ifdef BEHIND
    out_w4 = w0;
    out_w5 = w1;
    out_w6 = w2;
    out_w7 = w3;
#else
    out_w0 = w0;
    out_w1 = w1;
    out_w2 = w2;
    out_w3 = w3;
#endif
}
