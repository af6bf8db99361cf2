// sum <- x * x, element by element: the terms of (x,x)
void kernel(ivec2 at) {
    vec4 x = in_x(at);
    out_sum = x * x;
}
