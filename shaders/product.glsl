// What every product with a matrix ends in, whatever its format: y <- A x (DOT: and the terms of (x, y)), or b - A x.
void store_product(ivec2 at, vec4 x, vec4 product) {
#ifdef RESIDUAL
    out_y = in_b(at) - product;
#else
    out_y = product;
#endif
#ifdef DOT
    out_sum = x * product;
#endif
}
