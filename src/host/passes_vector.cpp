// The reference of the passes over vectors. See shaders/pass/ for the same bodies in GLSL.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// a v; a vector whose factor is zero counts as zeros, whatever it holds.
vec4 term(vec4 a, vec4 v) { return glm::mix(a * v, vec4(0.0f), glm::equal(a, vec4(0.0f))); }

}  // namespace

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

// y <- a x + b y
void axpby(const Pass& pass) {
    const In in_y = pass.in(0), in_x = pass.in(1);
    const Out out_y = pass.out(0);
    const vec4 a = pass.scalar(0), b = pass.scalar(1);
    pass.each([&](ivec2 at) {
        const vec4 y = in_y(at);
        out_y(at) = pass.commit(y, term(a, in_x(at)) + term(b, y));
    });
}

// y <- a m * x + b y: of the vector m an unknown's number for all of its right-hand sides
void axpby_field(const Pass& pass) { axpby(pass); }

void axpby_field_scaled(const Pass& pass) {
    const In in_y = pass.in(0), in_x = pass.in(1);
    const Numbers m(pass.in(2), pass.integer(1));
    const Out out_y = pass.out(0);
    const vec4 a = pass.scalar(0), b = pass.scalar(1);
    pass.each([&](ivec2 at) {
        const vec4 y = in_y(at), x = m[(at.y << pass.integer(0)) + at.x] * in_x(at);
        out_y(at) = pass.commit(y, term(a, x) + term(b, y));
    });
}

// a component of y <- the vector x
void field_put(const Pass& pass) {
    const In in_y = pass.in(0), in_x = pass.in(1);
    const int log2_field = pass.integer(0), log2_width = pass.integer(1), component = pass.integer(3);
    pass.each([&](ivec2 at) {
        const int i = (at.y << log2_field) + at.x, t = i >> 2;
        vec4 y = in_y(at);
        y[component] = i < pass.integer(2) ? in_x({t & ((1 << log2_width) - 1), t >> log2_width})[i & 3] : 0.0f;
        pass.out(0)(at) = y;
    });
}

// y <- a component of x
void field_take(const Pass& pass) {
    const In in_x = pass.in(0);
    const int log2_field = pass.integer(0), log2_width = pass.integer(1), component = pass.integer(3);
    pass.each([&](ivec2 at) {
        for (int lane = 0; lane < 4; ++lane) {
            const int i = 4 * ((at.y << log2_width) + at.x) + lane;
            const bool inside = i < pass.integer(2);
            pass.out(0)(at)[lane] = inside ? in_x({i & ((1 << log2_field) - 1), i >> log2_field})[component] : 0.0f;
        }
    });
}

// y <- x + a where m is not zero, else 0
void add_where(const Pass& pass) {
    const In in_x = pass.in(0), in_m = pass.in(1);
    const vec4 a = pass.scalar(0);
    pass.each(
        [&](ivec2 at) { pass.out(0)(at) = glm::mix(in_x(at) + a, vec4(0.0f), glm::equal(in_m(at), vec4(0.0f))); });
}

// z <- a x * y, element by element
void multiply(const Pass& pass) {
    const In in_x = pass.in(0), in_y = pass.in(1);
    const Out out_z = pass.out(0);
    const vec4 a = pass.scalar(0);
    pass.each([&](ivec2 at) { out_z(at) = a * (in_x(at) * in_y(at)); });
}

void squares(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const vec4 x = pass.in(0)(at);
        pass.out(0)(at) = x * x;
    });
}

// history[x, y] <- value
void record(const Pass& pass) {
    const In in_value = pass.in(0);
    const Out out_history = pass.out(0);
    pass.each([&](ivec2 at) { out_history(at) = in_value({0, 0}); });
}

}  // namespace glsolve::inline v0_1::host
