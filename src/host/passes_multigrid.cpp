// The reference of what leads from one level to another. See shaders/pass/transfer.glsl.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

// y <- [y +] P x
template <bool add>
void move(const Pass& pass) {
    constexpr int x = add ? 1 : 0;
    const In in_x = pass.in(x), in_a = pass.in(x + 1), in_columns = pass.in(x + 2), in_slices = pass.in(x + 3);
    const int log2_width = pass.integer(0), log2_x = pass.integer(1), log2_values = pass.integer(2),
              log2_slice = pass.integer(3), log2_slices = pass.integer(4), equal = pass.integer(5);
    const auto place = [](int texel, int log2) { return ivec2(texel & ((1 << log2) - 1), texel >> log2); };
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

}  // namespace

void transfer(const Pass& pass) { move<false>(pass); }
void transfer_add(const Pass& pass) { move<true>(pass); }

}  // namespace glsolve::inline v0_1::host
