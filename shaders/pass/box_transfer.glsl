// y <- P x          (ADD: y <- y + P x), where x and y are the points of two lattices and a row of P uses those of a box
// (src/formats/transfer_formats.hpp): WIDE x arg_high x arg_deep of them, and each row of a texel STRIDE further along a line of x
// than the one before.
//     places:   for each texel of y where the box of its first row begins in x, where it would for the rows from `split`
//               on, which are on the next line of y; `split`; the record of `a` that holds the numbers
//     a:        for each point of the box those of four rows; four records lie together, point by point
// SPLIT: there are texels with rows on two lines. HIGH and DEEP are constants where boxes are small.
//
// pass box_transfer: y <- P x, between the points of two lattices
//     ADD: y <- y + P x
// out: y
// in: y if ADD, x a places:int
// integer: log2_x last log2_values line plane high deep
// compiled: STRIDE WIDE SPLIT:flag
// faster: HIGH DEEP
#ifndef HIGH
#define HIGH arg_high
#define DEEP arg_deep
#endif
const int reach = 3 * STRIDE + WIDE;  // numbers of a line of x that four rows use
const int quads = (reach + 3) / 4;    // texels of them, the first of which begins with the first
const int fetches = (reach + 6) / 4;  // texels of x that hold them, wherever they begin

vec4 x_texel(int t) { return in_x(place(clamp(t, 0, arg_last), arg_log2_x)); }

void kernel(ivec2 at) {
    ivec4 here = in_places(at);
    vec4 total = vec4(0.0);
    int parts = SPLIT && here.z < 4 ? 2 : 1;
    for (int part = 0; part < parts; ++part) {
        int corner = part == 0 ? here.x : here.y;
        vec4 sum = vec4(0.0);
        int slot = (here.w >> 2) * (4 * WIDE * HIGH * DEEP) + (here.w & 3);
        for (int plane = 0; plane < DEEP; ++plane) {
            int first = corner + plane * arg_plane;
            for (int line = 0; line < HIGH; ++line) {
                vec4 fetched[quads + 1];
                vec4 x[quads];
                for (int j = 0; j <= quads; ++j) fetched[j] = j < fetches ? x_texel((first >> 2) + j) : vec4(0.0);
                for (int j = 0; j < quads; ++j) x[j] = shifted(fetched[j], fetched[j + 1], first & 3);
#define x_of(e) component(x[(e) >> 2], (e) & 3)
                for (int k = 0; k < WIDE; ++k) {
                    vec4 x_of_rows = vec4(x_of(k), x_of(k + STRIDE), x_of(k + 2 * STRIDE), x_of(k + 3 * STRIDE));
                    sum += in_a(place(slot, arg_log2_values)) * x_of_rows;
                    slot += 4;
                }
                first += arg_line;
            }
        }
        total = mix(total, sum, greaterThanEqual(ivec4(0, 1, 2, 3), ivec4(part == 0 ? 0 : here.z)));
    }
#ifdef ADD
    total += in_y(at);
#endif
    out_y = total;
}
