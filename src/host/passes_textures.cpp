// The reference of the passes between vectors and textures of the caller's, for which any storage stands here.
// shaders/pass/{texture_take,texture_put,texture_unit,texture_gain,texture_verdict}.glsl
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
            const float number = x(from)[pass.integer(9) + (column & ((1 << log2_in) - 1))];
            y[lane] = pass.integer(10) != 0 && !std::isfinite(number) ? 0 : number;
        }
        if (pass.integer(11) != 0) y = glm::mix(y, vec4(0.0f), glm::equal(pass.in(1)(at), vec4(0.0f)));
        pass.out(0)(at) = pass.scalar(0) * y;
    });
}

// texels <- x; only the components whose bits are set
void texture_put(const Pass& pass) {
    const int pitch = pass.integer(5), lines = pass.integer(6), height = pass.integer(7), log2_in = pass.integer(8),
              length = pass.integer(9), components = pass.integer(10);
    const Numbers x(pass.in(0), pass.integer(4));
    if (pass.stopped.x) return;
    pass.each([&](ivec2 at) {
        const ivec2 own = at - ivec2(pass.integer(0), pass.integer(1));
        const int first = (own.y / height * lines + own.y % height) * pitch + (own.x << log2_in);
        if (first >= length) return;
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

// gain <- what a run multiplies residuals by
void texture_gain(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const float unit = pass.in(1)(at).x, b = std::sqrt(pass.in(0)(at).x) * unit, r = std::sqrt(pass.in(2)(at).x),
                    scaled = std::sqrt(pass.in(2)(at).y);
        const float wanted = std::max(pass.constant(0) * b, pass.constant(1) * unit);
        const float gain = unit * (pass.constant(2) / wanted) * (r / scaled);
        const bool none = unit == 0 || r <= wanted || !(wanted > 0) || !(gain > 0) || is_bad(vec4(gain));
        const std::uint32_t exponent = std::bit_cast<std::uint32_t>(gain) >> 23;
        pass.out(0)(at) =
            vec4(none ? 0.0f : std::bit_cast<float>(std::clamp<std::uint32_t>(exponent + 1, 1, 253) << 23));
    });
}

// refused <- is what a run has found worse than nothing?
void texture_verdict(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const float b = std::sqrt(pass.in(0)(at).x) * pass.in(1)(at).x, start = std::sqrt(pass.in(2)(at).x),
                    end = std::sqrt(pass.in(3)(at).x);
        const bool fine =
            !is_bad(vec4(end)) && !is_bad(vec4(b)) && (end <= std::max(1000 * b, start) || is_bad(vec4(start)));
        pass.out(0)(at) = vec4(fine ? 0.0f : 1.0f);
    });
}

}  // namespace glsolve::inline v0_1::host
