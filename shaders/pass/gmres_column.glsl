// Column j of the Hessenberg matrix, column `at` of h with |w| below it, joins the triangle R: the rotations so far, and a new
// one that takes |w| away (Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 6.5.3):
//     c_j = h_j / rho,  s_j = |w| / rho,  rho^2 = h_j^2 + |w|^2;   g_j+1 <- -s_j g_j,  g_j <- c_j g_j.
// RAW: it stays as it is; the host rotates.   What `state` holds: src/methods/gmres.cpp.
//
// out: state
// in: state h square
// integer: restart j at
// is: guarded
// pass gmres_column: R, c, s, g <- with column j of the Hessenberg matrix
//     RAW: state <- column j of the Hessenberg matrix
float state_at(int column, int i) { return component(in_state(ivec2(column, i >> 2)), i & 3); }

void put(inout vec4 four, int row, int i, float value) {
    if (i >> 2 != row) return;
    four = mix(four, vec4(value), equal(ivec4(i & 3), ivec4(0, 1, 2, 3)));
}

void kernel(ivec2 at) {
    int j = arg_j;
    vec4 state = in_state(at), column = vec4(0.0), h = vec4(0.0);
    float below = sqrt(in_square(ivec2(0)).x), top = 0.0;
#ifdef RAW
    column = in_h(ivec2(arg_at, at.y));
    put(column, at.y, j + 1, below);
    if (at.x == j) state = column;
#else
    for (int i = 0; i <= j; ++i) {
        if ((i & 3) == 0) h = in_h(ivec2(arg_at, i >> 2));
        float h_i = component(h, i & 3);
        if (i > 0) {
            float c = state_at(arg_restart + 1, i - 1), s = state_at(arg_restart + 2, i - 1);
            put(column, at.y, i - 1, c * top + s * h_i);
            h_i = c * h_i - s * top;
        }
        top = h_i;
    }
    float larger = max(abs(top), below);
    float rho = larger > 0.0 ? larger * length(vec2(top, below) / larger) : 0.0;
    float c = rho > 0.0 ? top / rho : 0.0, s = rho > 0.0 ? below / rho : 1.0;  // a column of zeros changes no residual
    put(column, at.y, j, rho);
    float g = state_at(arg_restart, j);
    if (at.x == j) state = column;
    if (at.x == arg_restart) {
        put(state, at.y, j, c * g);
        put(state, at.y, j + 1, -s * g);
    }
    if (at.x == arg_restart + 1) put(state, at.y, j, c);
    if (at.x == arg_restart + 2) put(state, at.y, j, s);
#endif
    out_state = commit(in_state(at), state);
}
