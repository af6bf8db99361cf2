// The reference of the passes over vectors. See shaders/pass/ for the same bodies in GLSL.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

// y <- value; the padding behind the last number stays zero.
void fill(const Pass& pass) {
    const Out out_y = pass.out(0);
    const int length = pass.integer(0), log2_width = pass.integer(1);
    pass.each([&](ivec2 at) {
        const int first = ((at.y << log2_width) + at.x) * 4;
        const ivec4 number = ivec4(first) + ivec4(0, 1, 2, 3);
        out_y(at) = glm::mix(vec4(0.0f), vec4(pass.constant(0)), glm::lessThan(number, ivec4(length)));
    });
}

// y <- x
void copy(const Pass& pass) {
    const In in_x = pass.in(0);
    const Out out_y = pass.out(0);
    pass.each([&](ivec2 at) { out_y(at) = in_x(at); });
}

// y <- y + a x
void axpy(const Pass& pass) {
    const In in_y = pass.in(0), in_x = pass.in(1);
    const Out out_y = pass.out(0);
    const vec4 a = pass.scalar(0);
    pass.each([&](ivec2 at) { out_y(at) = pass.commit(in_y(at), in_y(at) + a * in_x(at)); });
}

// y <- x + a y
void xpay(const Pass& pass) {
    const In in_y = pass.in(0), in_x = pass.in(1);
    const Out out_y = pass.out(0);
    const vec4 a = pass.scalar(0);
    pass.each([&](ivec2 at) { out_y(at) = pass.commit(in_y(at), in_x(at) + a * in_y(at)); });
}

// y <- a x
void scale(const Pass& pass) {
    const In in_x = pass.in(0);
    const Out out_y = pass.out(0);
    const vec4 a = pass.scalar(0);
    pass.each([&](ivec2 at) { out_y(at) = a * in_x(at); });
}

// z <- x * y, element by element
void multiply(const Pass& pass) {
    const In in_x = pass.in(0), in_y = pass.in(1);
    const Out out_z = pass.out(0);
    pass.each([&](ivec2 at) { out_z(at) = in_x(at) * in_y(at); });
}

// history[x, y] <- value
void record(const Pass& pass) {
    const In in_value = pass.in(0);
    const Out out_history = pass.out(0);
    pass.each([&](ivec2 at) { out_history(at) = in_value({0, 0}); });
}

}  // namespace glsolve::inline v0_1::host
