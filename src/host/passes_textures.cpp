// The reference of the passes between vectors and textures of the caller's, for which any storage stands here.
// shaders/pass/{texture_take,texture_put,texture_unit}.glsl
#include <bit>
#include <cmath>

#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

// y <- a times texels
void texture_take(const Pass& pass) {
    const int log2_width = pass.integer(0), columns = pass.integer(3), pitch = pass.integer(4), lines = pass.integer(5),
              height = pass.integer(6), length = pass.integer(7), log2_in = pass.integer(8);
    const In x = pass.in(0);
    pass.each([&](ivec2 at) {
        vec4 y(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int i = 4 * ((at.y << log2_width) + at.x) + lane, line = i / pitch, column = i % pitch;
            if (column >= columns || line % lines >= height || i >= length) continue;
            const ivec2 from(pass.integer(1) + (column >> log2_in),
                             pass.integer(2) + line / lines * height + line % lines);
            y[lane] = x(from)[pass.integer(9) + (column & ((1 << log2_in) - 1))];
        }
        pass.out(0)(at) = pass.scalar(0) * y;
    });
}

// texels <- x; only the components whose bits are set
void texture_put(const Pass& pass) {
    const int pitch = pass.integer(5), lines = pass.integer(6), height = pass.integer(7), log2_in = pass.integer(8),
              components = pass.integer(9);
    const Numbers x(pass.in(0), pass.integer(4));
    pass.each([&](ivec2 at) {
        const ivec2 own = at - ivec2(pass.integer(0), pass.integer(1));
        const int first = (own.y / height * lines + own.y % height) * pitch + (own.x << log2_in);
        for (int lane = 0; lane < 4; ++lane) {
            if ((components >> lane & 1) == 0) continue;
            pass.out(0)(at)[lane] = x[first + (log2_in == 0 ? 0 : lane)];
        }
    });
}

// unit <- the power of two with |x| unit in [1/2, 1)
void texture_unit(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const float size = std::sqrt(pass.in(0)(at).y);
        const int exponent = static_cast<int>(std::bit_cast<std::uint32_t>(size) >> 23);
        const auto bits = static_cast<std::uint32_t>(std::clamp(253 - exponent, 1, 253)) << 23;
        pass.out(0)(at) = vec4(size > 0 && !is_bad(vec4(size)) ? std::bit_cast<float>(bits) : 0);
    });
}

}  // namespace glsolve::inline v0_1::host
