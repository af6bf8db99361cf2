// The last of the texels that the host reads of a run. Where OpenGL has discarded the passes of a run, the host finds the number of
// an earlier one here.
//     taken = |.|^2 of what was taken off b
//
// pass texture_mark: mark <- (unit, number of the run, taken, 0)
// out: mark
// in: unit taken
// constant: number
// shares: texel
void kernel(ivec2 at) { out_mark = vec4(in_unit(at).x, arg_number, in_taken(at).x, 0.0); }
