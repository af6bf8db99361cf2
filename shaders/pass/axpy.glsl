// y <- y + a x
void kernel(ivec2 at) {
    vec4 y = in_y(at);
    out_y = commit(y, y + scalar_a * in_x(at));
}
