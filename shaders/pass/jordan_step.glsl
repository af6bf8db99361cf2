// One step of Gauss and Jordan, in place, on the columns of a panel, one zone below the other. With f the column at hand, p the
// pivot's row and d = 1 / f_p:
//     column at hand:  f_p <- d,               f_i <- -d f_i
//     other columns:   a_p <- d a_p,           a_i <- a_i - f_i d a_p
//
// pass jordan_step: a step of Gauss and Jordan on a panel
// out: panel
// in: panel pivot
// integer: zone_height column
void kernel(ivec2 at) {
    vec4 pivot = in_pivot(ivec2(0));
    int lane = int(pivot.y) & 3;
    ivec2 row = ivec2(int(pivot.y) >> 2, int(pivot.z));
    int zone = at.y / arg_zone_height;
    ivec2 t = ivec2(at.x, at.y % arg_zone_height);
    ivec2 at_hand = ivec2(0, arg_column * arg_zone_height);
    vec4 f = in_panel(at_hand + t);
    float f_p = component(in_panel(at_hand + row), lane);
    float d = f_p != 0.0 ? 1.0 / f_p : 0.0;  // a zero is found out at the end
    float scaled = d * component(in_panel(ivec2(0, zone * arg_zone_height) + row), lane);
    bool same = t == row;
    bvec4 is_pivot = bvec4(same && lane == 0, same && lane == 1, same && lane == 2, same && lane == 3);
    out_panel = zone == arg_column ? mix(-d * f, vec4(d), is_pivot) : mix(in_panel(at) - f * scaled, vec4(scaled), is_pivot);
}
