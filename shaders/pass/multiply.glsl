// z <- x * y, element by element
void kernel(ivec2 at) { out_z = in_x(at) * in_y(at); }
