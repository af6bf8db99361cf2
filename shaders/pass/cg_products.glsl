// sum <- ((r,z), (r,r), (y,y), 0): what an iteration of conjugate gradients ends with, where z <- M^-1 r took passes of
// its own.
void kernel(ivec2 at) {
    vec4 r = in_r(at), y = in_y(at);
    out_sum = vec4(dot(r, in_z(at)), dot(r, r), dot(y, y), 0.0);
}
