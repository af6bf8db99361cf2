// Vector `count` of G in IDR(s), where g = A u, is made orthogonal to as many shadow vectors, the direction goes along, and x takes
// the step that makes the residual orthogonal to the next one too. What `state` holds: src/methods/idr.cpp.
//     g <- g - G a,  u <- u - U a,  y <- y + beta u,  r <- r - beta g
//
// pass idr_update: g -= G a, u -= U a, y += beta u, r -= beta g
// out: y r g u
// in: y r g u basis_g basis_u state
// integer: log2_width log2_columns tile_height count
// faster: ONE_COLUMN
// is: guarded
void kernel(ivec2 at) {
    vec4 g = in_g(at), u = in_u(at);
    for (int k = 0; k < arg_count; ++k) {
        float a = component(in_state(ivec2(1, k >> 2)), k & 3);
        g -= a * in_basis_g(tile_corner(k) + at);
        u -= a * in_basis_u(tile_corner(k) + at);
    }
    float beta = in_state(ivec2(3, 0)).x;
    out_y = commit(in_y(at), in_y(at) + beta * u);
    out_r = commit(in_r(at), in_r(at) - beta * g);
    out_g = g;
    out_u = u;
}
