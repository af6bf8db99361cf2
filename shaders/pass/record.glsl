// history[x, y] <- value: the pass covers that one texel.
//
// pass record: history[x, y] <- value
// out: history
// in: value
// integer: left bottom columns rows
// over: window
// shares: texel
void kernel(ivec2 at) { out_history = in_value(ivec2(0)); }
