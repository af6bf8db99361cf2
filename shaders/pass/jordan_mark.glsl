// The row of the pivot is used up: its element of `used` <- the step, counted from 1. pivot: (|value|, 4 x + component, y, 1).
//
// pass jordan_mark: used <- the step, in the pivot's row
// out: used
// in: used pivot
// integer: step
void kernel(ivec2 at) {
    vec4 pivot = in_pivot(ivec2(0));
    int place = int(pivot.y);
    bool here = pivot.w != 0.0 && at == ivec2(place >> 2, int(pivot.z));
    bvec4 lane = bvec4(here && (place & 3) == 0, here && (place & 3) == 1, here && (place & 3) == 2, here && (place & 3) == 3);
    out_used = mix(in_used(at), vec4(float(arg_step)), lane);
}
