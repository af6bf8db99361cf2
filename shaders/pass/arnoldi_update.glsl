// Vector k of a basis V, and the candidate for the next one. `count` vectors are there: s = V^T w, t = V^T u, where u = A M^-1 w;
// step = (nu^2, 1 / nu, tau, nu): arnoldi_step.glsl.
//     v <- (w - V s) / nu,   w <- (u - V t - tau v) / nu      (JACOBI: and z <- d * w)
// This orthogonalises w for the second time and u for the first, and reads V once. Zeros where the solve has stopped.
//
// pass arnoldi_update: v <- (w - V s) / nu, w <- (u - V t - tau v) / nu
//     JACOBI: the same, z <- d * w
// out: v w, z if JACOBI
// in: basis s t step w u, d if JACOBI
// integer: log2_width log2_columns tile_height count
// faster: ONE_COLUMN
// is: guarded
vec4 layer(ivec2 at, int k) { return in_basis(tile_corner(k) + at); }

void kernel(ivec2 at) {
    vec4 step = in_step(ivec2(0)), v = in_w(at), w = in_u(at);
    vec4 along_s = vec4(0.0), along_t = vec4(0.0);
    int k = 0;
    for (; k + 4 <= arg_count; k += 4) {
        vec4 s = in_s(ivec2(0, k >> 2)), t = in_t(ivec2(0, k >> 2));
        vec4 a = layer(at, k), b = layer(at, k + 1), c = layer(at, k + 2), d = layer(at, k + 3);
        along_s += (s.x * a + s.y * b) + (s.z * c + s.w * d);
        along_t += (t.x * a + t.y * b) + (t.z * c + t.w * d);
    }
    for (; k < arg_count; ++k) {
        vec4 a = layer(at, k);
        along_s += component(in_s(ivec2(0, k >> 2)), k & 3) * a;
        along_t += component(in_t(ivec2(0, k >> 2)), k & 3) * a;
    }
    v = (v - along_s) * step.y;
    w = ((w - along_t) - step.z * v) * step.y;
    bool there = stopped_value == 0.0 && step.y > 0.0;
    out_v = there ? v : vec4(0.0);
    out_w = there ? w : vec4(0.0);
#ifdef JACOBI
    out_z = there ? in_d(at) * w : vec4(0.0);
#endif
}
