// y <- x + a y
void kernel(ivec2 at) {
    vec4 y = in_y(at);
    out_y = commit(y, in_x(at) + scalar_a * y);
}
