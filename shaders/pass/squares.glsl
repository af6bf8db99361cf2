// sum <- x * x, element by element: the terms of (x,x)
//
// pass squares: sum <- x * x, element by element
// out: sum
// in: x
// over: input
// is: elementwise
void kernel(ivec2 at) {
    vec4 x = in_x(at);
    out_sum = x * x;
}
