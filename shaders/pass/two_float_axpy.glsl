// y + y_low <- (y + y_low) + a x, in two floats
void kernel(ivec2 at) {
    Two sum = plus(Two(in_y(at), in_y_low(at)), two_product(scalar_a, in_x(at)));
    out_y = sum.hi;
    out_y_low = sum.lo;
}
