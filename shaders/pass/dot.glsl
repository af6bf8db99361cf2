// sum <- x * y: the first step of an inner product
void kernel(ivec2 at) { out_sum = in_x(at) * in_y(at); }
