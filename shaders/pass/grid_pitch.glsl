// y <- x: arg_lines rows of arg_width numbers, which begin every arg_pitch numbers in y and every arg_pitch_x in x. What is behind a
// row and behind the last of them becomes zero.
//
// pass grid_pitch: y <- x, whose rows are stored at another distance
// out: y
// in: x
// integer: log2_width log2_x width lines pitch pitch_x
float number_at(int i) {
    int line = i / arg_pitch;
    int column = i - line * arg_pitch;
    int from = line * arg_pitch_x + column;
    float x = component(in_x_clamped(place(from >> 2, arg_log2_x)), from & 3);
    return column < arg_width && line < arg_lines ? x : 0.0;
}

void kernel(ivec2 at) {
    int i = 4 * ((at.y << arg_log2_width) + at.x);
    out_y = vec4(number_at(i), number_at(i + 1), number_at(i + 2), number_at(i + 3));
}
