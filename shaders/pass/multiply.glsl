// z <- a x * y, element by element
//
// pass multiply: z <- a x * y, element by element
// out: z
// in: x y
// scalar: a
// is: elementwise
void kernel(ivec2 at) { out_z = scalar_a * (in_x(at) * in_y(at)); }
