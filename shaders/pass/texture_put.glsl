// Texels of a texture of the caller's <- the numbers of a vector; the same places as in texture_take. A texel takes four
// numbers, or one, which components that are not to be written keep from. Texels behind the last of arg_length numbers keep what they
// hold, and all do where the status says so.
//
// pass texture_put: texels of a texture of the caller's <- x
// out: y
// in: x
// integer: left bottom columns rows log2_width pitch lines height log2_in length components
// over: window
// is: guarded writes_outside
void kernel(ivec2 at) {
    if (stopped_value != 0.0) KEEP;
    ivec2 own = at - ivec2(arg_left, arg_bottom);
    int plane = divided(own.y, arg_height);
    int first = (own.y + plane * (arg_lines - arg_height)) * arg_pitch + (own.x << arg_log2_in);
    if (first >= arg_length) KEEP;
    int t = first >> 2;
    vec4 four = shifted(in_x_clamped(place(t, arg_log2_width)), in_x_clamped(place(t + 1, arg_log2_width)), first & 3);
    out_y = mix(four, vec4(four.x), bvec4(arg_log2_in == 0));
}
