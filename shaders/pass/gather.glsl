// z <- d * x[n]: numbers of x from the places n, -1: none, which is a zero.
//
// pass gather: z <- d * x[n]
// out: z
// in: x d n:int
// integer: log2_width
float taken(int from) {
    float x = NUMBER(in_x, max(from, 0), arg_log2_width);
    return from < 0 ? 0.0 : x;
}

void kernel(ivec2 at) {
    ivec4 n = in_n(at);
    out_z = in_d(at) * vec4(taken(n.x), taken(n.y), taken(n.z), taken(n.w));
}
