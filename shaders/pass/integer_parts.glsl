// Integers as two real numbers each, which single precision holds:  x = 4096 high + low.  So they can be read back.
//
// pass integer_parts: high, low <- the parts of x
// out: high low
// in: x:int
void kernel(ivec2 at) {
    ivec4 x = in_x(at);
    out_high = vec4(x >> 12);
    out_low = vec4(x & 4095);
}
