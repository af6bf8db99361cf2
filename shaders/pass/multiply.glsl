// z <- a x * y, element by element
void kernel(ivec2 at) { out_z = scalar_a * (in_x(at) * in_y(at)); }
