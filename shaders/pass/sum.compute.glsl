// y <- sums over tiles of x, TILE_WIDTH x TILE_HEIGHT texels each: a work group makes one.
void main() {
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * ivec2(TILE_WIDTH, TILE_HEIGHT) + ivec2(gl_LocalInvocationID.xy);
    vec4 term = vec4(0.0);
    for (int j = 0; j < TILE_HEIGHT; j += GROUP_HEIGHT) {
        for (int i = 0; i < TILE_WIDTH; i += GROUP_WIDTH) {
            ivec2 at = corner + ivec2(i, j);
            if (at.x < arg_width && at.y < arg_height) term += in_x(at);
        }
    }
    vec4 sum = group_sum(term);
    if (gl_LocalInvocationIndex == 0u) imageStore(i_y, ivec2(gl_WorkGroupID.xy), sum);
}
