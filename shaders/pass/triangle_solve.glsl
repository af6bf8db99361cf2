// y <- (I + T)^-1 (d * b[n]),  T strictly triangular, by levels of its rows (Saad 2003, section 11.6.3). The rows stand in the
// order of their levels, and each level begins with a texel of its own: `levels` holds the first texel of each, and then how many
// texels there are. n: which number of b belongs to a row, -1: none. The nonzeros of the four rows at a texel stand in slots, of
// one number and one column for each of them: those of texel t in `slots[t]` to `slots[t + 1]`.
//
// pass triangle_solve: y <- (I + T)^-1 (d * b[n]), level after level
// out: y
// in: y b d n:int a columns:int slots:int levels:int
// integer: log2_width log2_b log2_a log2_slots log2_levels level_count
// is: ordered
int slot_of(int t) { return component(in_slots(place(t >> 2, arg_log2_slots)), t & 3); }
int first_texel(int level) { return component(in_levels(place(level >> 2, arg_log2_levels)), level & 3); }

float right_side(int row) {
    float b = NUMBER(in_b, max(row, 0), arg_log2_b);
    return row < 0 ? 0.0 : b;
}

vec4 solved(ivec4 c) {
#ifdef HAS_NUMBERS
    return vec4(in_y_number(c.x), in_y_number(c.y), in_y_number(c.z), in_y_number(c.w));
#else
    return vec4(NUMBER(in_y, c.x, arg_log2_width), NUMBER(in_y, c.y, arg_log2_width),
                NUMBER(in_y, c.z, arg_log2_width), NUMBER(in_y, c.w, arg_log2_width));
#endif
}

// What a texel needs and earlier levels do not make: the right-hand sides, and the first slot of an invocation's share.
struct Fetched {
    int slot, last;
    vec4 right, value;
    ivec4 column;
};

Fetched fetched(ivec2 at) {
    Fetched f;
    int t = count_of(at, arg_log2_width);
    f.last = slot_of(t + 1);
#ifdef TEAM
    f.slot = slot_of(t) + team_lane;
#else
    f.slot = slot_of(t);
#endif
    ivec4 n = in_n(at);
    f.right = in_d(at) * vec4(right_side(n.x), right_side(n.y), right_side(n.z), right_side(n.w));
    f.value = vec4(0.0);
    f.column = ivec4(0);
    if (f.slot < f.last) {
        ivec2 first = place(f.slot, arg_log2_a);
        f.value = in_a(first);
        f.column = in_columns(first);
    }
    return f;
}

void finish(Fetched f) {
    vec4 sum = vec4(0.0);
    if (f.slot < f.last) sum = f.value * solved(f.column);
#ifdef TEAM
    for (int s = f.slot + TEAM; s < f.last; s += TEAM) {
#else
    for (int s = f.slot + 1; s < f.last; ++s) {
#endif
        ivec2 slot = place(s, arg_log2_a);
        sum += in_a(slot) * solved(in_columns(slot));
    }
#ifdef TEAM
    for (int distance = TEAM / 2; distance > 0; distance /= 2) sum += behind(sum, distance);
#endif
    out_y = f.right - sum;
}

void kernel(ivec2 at) { finish(fetched(at)); }
