// s + e = x + y and p + f = x * y exactly: what the device is asked before it is trusted with two floats.
void kernel(ivec2 at) {
    Two sum = two_sum(in_x(at), in_y(at));
    Two product = two_product(in_x(at), in_y(at));
    out_s = sum.hi;
    out_e = sum.lo;
    out_p = product.hi;
    out_f = product.lo;
}
