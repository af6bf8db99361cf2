// The last step of MINRES, which no iteration takes (minres_update.glsl). Vectors of even and of odd iterations take turns;
// which of them are the last ones only the device knows, by the iterations in its status.
//
// pass minres_finish: y <- the step that is left
// out: y
// in: z_even z_odd w_even w_odd y step status
void kernel(ivec2 at) {
    bool even = (int(in_status(ivec2(0)).y) & 1) == 0;
    vec4 z_even = in_z_even(at), z_odd = in_z_odd(at), w_even = in_w_even(at), w_odd = in_w_odd(at);
    vec4 y = in_y(at), factors = in_step(ivec2(0));
    vec4 z_before = even ? z_odd : z_even, w = even ? w_odd : w_even, w_before = even ? w_even : w_odd;
    w = factors.x * z_before + factors.y * w + factors.z * w_before;
    out_y = factors.w == 0.0 ? y : y + factors.w * w;
}
