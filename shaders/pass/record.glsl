// history[x, y] <- value: the pass covers that one texel.
void kernel(ivec2 at) { out_history = in_value(ivec2(0)); }
