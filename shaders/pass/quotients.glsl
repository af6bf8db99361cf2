// y <- x[n] / x[d],  numbers of x taken from the places n and d, which differ from number to number. n = -1 stands for 0, and
// n = -2 for 1; d = -1 stands for 1.
//
// pass quotients: y <- x[n] / x[d]
// out: y
// in: x n:int d:int
// integer: log2_width
float number_at(int place_of, float otherwise) {
    float x = NUMBER(in_x, max(place_of, 0), arg_log2_width);
    return place_of < 0 ? otherwise : x;
}

void kernel(ivec2 at) {
    ivec4 n = in_n(at), d = in_d(at);
    vec4 y;
    for (int i = 0; i < 4; ++i) {
        int of_n = component(n, i), of_d = component(d, i);
        y[i] = number_at(of_n, of_n == -2 ? 1.0 : 0.0) / number_at(of_d, 1.0);
    }
    out_y = y;
}
