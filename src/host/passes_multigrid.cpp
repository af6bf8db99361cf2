// The reference of what leads from one level to another. See shaders/pass/transfer.glsl and box_transfer.glsl.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

ivec2 place(int texel, int log2_width) { return {texel & ((1 << log2_width) - 1), texel >> log2_width}; }

// y <- [y +] P x
template <bool add>
void move(const Pass& pass) {
    constexpr int x = add ? 1 : 0;
    const In in_x = pass.in(x), in_a = pass.in(x + 1), in_columns = pass.in(x + 2), in_slices = pass.in(x + 3);
    const int log2_width = pass.integer(0), log2_x = pass.integer(1), log2_values = pass.integer(2),
              log2_slice = pass.integer(3), log2_slices = pass.integer(4), equal = pass.integer(5);
    const auto x_of = [&](int column) { return in_x(place(column >> 2, log2_x))[column & 3]; };
    pass.each([&](ivec2 at) {
        const int t = (at.y << log2_width) + at.x, slice = t >> log2_slice, lane = t - (slice << log2_slice);
        const ivec4 found = equal >= 0 ? ivec4((slice * equal) << log2_slice, equal, 0, 0)
                                       : in_slices.integer(place(slice, log2_slices));
        vec4 sum(0);
        for (int k = 0; k < found.y; ++k) {
            const ivec2 slot = place(found.x + lane + (k << log2_slice), log2_values);
            const ivec4 c = in_columns.integer(slot);
            sum += in_a(slot) * vec4(x_of(c.x), x_of(c.y), x_of(c.z), x_of(c.w));
        }
        if constexpr (add) sum += pass.in(0)(at);
        pass.out(0)(at) = sum;
    });
}

// The same, where a row uses the numbers of a box.
template <bool add>
void move_boxes(const Pass& pass) {
    constexpr int x = add ? 1 : 0;
    const In in_x = pass.in(x), in_a = pass.in(x + 1), in_places = pass.in(x + 2);
    const int log2_x = pass.integer(0), last = pass.integer(1), log2_values = pass.integer(2), line = pass.integer(3),
              plane = pass.integer(4), high = pass.integer(5), deep = pass.integer(6), stride = pass.integer(7),
              wide = pass.integer(8);
    const auto x_of = [&](std::int64_t i) {
        return in_x(
            place(static_cast<int>(std::clamp<std::int64_t>(i >> 2, 0, last)), log2_x))[static_cast<int>(i & 3)];
    };
    pass.each([&](ivec2 at) {
        const ivec4 here = in_places.integer(at);
        vec4 sum(0);
        int slot = (here.w >> 2) * (4 * wide * high * deep) + (here.w & 3);
        for (int z = 0; z < deep; ++z) {
            for (int y = 0; y < high; ++y) {
                for (int k = 0; k < wide; ++k, slot += 4) {
                    vec4 x_of_rows;
                    for (int row = 0; row < 4; ++row) {
                        const std::int64_t corner = row < here.z ? here.x : here.y;
                        x_of_rows[row] = x_of(corner + plane * z + line * y + stride * row + k);
                    }
                    sum += in_a(place(slot, log2_values)) * x_of_rows;
                }
            }
        }
        if constexpr (add) sum += pass.in(0)(at);
        pass.out(0)(at) = sum;
    });
}

}  // namespace

void transfer(const Pass& pass) { move<false>(pass); }
void transfer_add(const Pass& pass) { move<true>(pass); }
void box_transfer(const Pass& pass) { move_boxes<false>(pass); }
void box_transfer_add(const Pass& pass) { move_boxes<true>(pass); }

}  // namespace glsolve::inline v0_1::host
