// y <- x / sqrt(square), a direction of length 1;  JACOBI: y <- d * x / sqrt(square);  LAYER: y is a vector of a basis.
// Zeros where there is no direction, or where the solve has stopped: what comes after must not meet what is no number.
//
// pass normalise: y <- x / sqrt(square)
//     JACOBI: y <- d * x / sqrt(square)
//     LAYER: v_k <- x / sqrt(square)
// out: y
// in: x, d if JACOBI
// scalar: square
// integer: left bottom columns rows if LAYER
// over: window if LAYER
// is: guarded, elementwise if not LAYER
void kernel(ivec2 at) {
    float square = scalar_square.x;
    bool there = square > 0.0 && !is_bad(vec4(square)) && stopped_value == 0.0;
    at -= u_origin;
    vec4 x = in_x(at) / sqrt(square);
#ifdef JACOBI
    x *= in_d(at);
#endif
    out_y = there ? x : vec4(0.0);
}
