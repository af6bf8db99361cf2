// One work group makes all texels of y, level after level: those of a level read what the levels before have written.
void main() {
    load_scalars();
    int me = int(gl_LocalInvocationIndex);
#ifdef TEAM
    team_lane = me % TEAM;
    int mine = me / TEAM, at_once = GROUP_SIZE / TEAM;
#else
    int mine = me, at_once = GROUP_SIZE;
#endif
    int end = first_texel(0);
    for (int level = 0; level < arg_level_count; ++level) {
        int begin = end;
        end = first_texel(level + 1);
        for (int first = begin; first < end; first += at_once) {
            ivec2 at = place(min(first + mine, end - 1), arg_log2_width);
#ifdef TEAM  // they wait for one another: all take part, also where there is nothing to store
            kernel(at);
            if (first + mine < end && team_lane == 0) store_outputs(at);
#else
            if (first + mine < end) {
                kernel(at);
                store_outputs(at);
            }
#endif
        }
        groupMemoryBarrier();
        barrier();
    }
}
