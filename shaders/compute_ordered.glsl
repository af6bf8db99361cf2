// One work group makes all texels of y, level after level: those of a level read what the levels before have written. A level
// takes as long as fetches that wait for one another. So a pass says what its texels need that no level makes (`Fetched
// fetched(ivec2 at)`), which is fetched a level ahead, and what is left to do then (`void finish(Fetched f)`).
void main() {
    load_scalars();
    int me = int(gl_LocalInvocationIndex);
#ifdef TEAM
    team_lane = me % TEAM;
    int mine = me / TEAM, at_once = GROUP_SIZE / TEAM;
    bool stores = team_lane == 0;
#else
    int mine = me, at_once = GROUP_SIZE;
    bool stores = true;
#endif
    int begin = first_texel(0), end = first_texel(min(1, arg_level_count));
    Fetched next = fetched(place(max(min(begin + mine, end - 1), 0), arg_log2_width));
    for (int level = 0; level < arg_level_count; ++level) {
        Fetched now = next;
        int end_of_next = first_texel(min(level + 2, arg_level_count));
        next = fetched(place(min(end + mine, end_of_next - 1), arg_log2_width));
        // Teams wait for one another: all take part, also where there is nothing to store.
        finish(now);
        if (begin + mine < end && stores) store_outputs(place(begin + mine, arg_log2_width));
        for (int first = begin + at_once; first < end; first += at_once) {
            ivec2 at = place(min(first + mine, end - 1), arg_log2_width);
            kernel(at);
            if (first + mine < end && stores) store_outputs(at);
        }
        groupMemoryBarrier();
        barrier();
        begin = end;
        end = end_of_next;
    }
}
