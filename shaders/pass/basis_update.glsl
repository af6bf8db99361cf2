// With the vectors of a basis V (src/device/basis.hpp), from `first` on so many, and numbers h, four to a texel:
//     y <- x - V h      (NORM: and sum <- y * y)
//     COMBINE:  y <- V h      (JACOBI: y <- d * V h)
//
// integer: log2_width log2_columns tile_height first count
// faster: ONE_COLUMN
// pass basis_subtract: y <- x - V h
//     NORM: y <- x - V h, sum <- y * y
// out: y, sum if NORM
// in: v h x
// pass basis_combine (COMBINE): y <- V h
//     JACOBI: y <- d * V h
// out: y
// in: v h, d if JACOBI
vec4 layer(ivec2 at, int k) { return in_v(tile_corner(k) + at); }

void kernel(ivec2 at) {
    vec4 sum = vec4(0.0);
    int k = arg_first, end = arg_first + arg_count;
    for (; (k & 3) == 0 && k + 4 <= end; k += 4) {
        vec4 h = in_h(ivec2(0, k >> 2));
        sum += (h.x * layer(at, k) + h.y * layer(at, k + 1)) + (h.z * layer(at, k + 2) + h.w * layer(at, k + 3));
    }
    for (; k < end; ++k) sum += component(in_h(ivec2(0, k >> 2)), k & 3) * layer(at, k);
#ifdef COMBINE
#ifdef JACOBI
    sum *= in_d(at);
#endif
    out_y = sum;
#else
    vec4 y = in_x(at) - sum;
    out_y = y;
#ifdef NORM
    out_sum = y * y;
#endif
#endif
}
