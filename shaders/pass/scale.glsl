// y <- a x
void kernel(ivec2 at) { out_y = scalar_a * in_x(at); }
