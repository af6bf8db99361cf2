// Each work group takes a tile of texels, one behind the other, and makes arg_steps steps of it. Within the tile a step waits
// for the one before; for other tiles nobody waits: step k reads one of y's two images and writes the other, and in their tiles
// stands what they have come to.
void main() {
    load_scalars();
    int texels = u_domain.x * u_domain.y, groups = int(gl_NumWorkGroups.x);
    int tile = (texels + groups - 1) / groups;
    int begin = int(gl_WorkGroupID.x) * tile, end = min(begin + tile, texels);
    for (local_step = 0; local_step < arg_steps; ++local_step) {
        for (int t = begin + int(gl_LocalInvocationIndex); t < end; t += GROUP_SIZE) {
            ivec2 at = place(t, LOG2_WIDTH);
            kernel(at);
            store_outputs(at);
        }
        memoryBarrierImage();
        barrier();
    }
}
