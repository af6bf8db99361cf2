// y <- x
void kernel(ivec2 at) { out_y = in_x(at); }
