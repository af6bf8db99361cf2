// s + e = x + y exactly, and p + f = x y + x + y in two floats: what the device is asked before it is trusted with them.
//
// pass error_free: s + e = x + y exactly, p + f = x y + x + y in two floats
// out: s e p f
// in: x y
// is: two_float elementwise
void kernel(ivec2 at) {
    vec4 x = in_x(at);
    vec4 y = in_y(at);
    Two sum = two_sum(x, y);
    Two longer = plus(plus(two_product(x, y), two(x)), two(y));
    out_s = sum.hi;
    out_e = sum.lo;
    out_p = longer.hi;
    out_f = longer.lo;
}
