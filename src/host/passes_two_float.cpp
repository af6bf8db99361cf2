// The reference of the passes in two floats. It has no need of error-free arithmetic: double precision holds two
// floats.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

// y + y_low <- y + y_low + a x
void two_float_axpy(const Pass& pass) {
    const In in_y = pass.in(0), in_y_low = pass.in(1), in_x = pass.in(2);
    const dvec4 a = dvec4(pass.scalar(0));
    pass.each([&](ivec2 at) {
        split(dvec4(in_y(at)) + dvec4(in_y_low(at)) + a * dvec4(in_x(at)), pass.out(0)(at), pass.out(1)(at));
    });
}

// sum <- (|w t|^2, |t|^2, |s t - r|^2, 0)
void residual_norms(const Pass& pass) {
    const In in_t = pass.in(0), in_r = pass.in(1), in_w = pass.in(2);
    const bool weights = pass.integer(0) != 0;
    const Out out_sum = pass.out(0);
    pass.each([&](ivec2 at) {
        const vec4 t = in_t(at), unscaled = weights ? in_w(at) * t : t, drift = pass.constant(0) * t - in_r(at);
        out_sum(at) = vec4(glm::dot(unscaled, unscaled), glm::dot(t, t), glm::dot(drift, drift), 0.0f);
    });
}

// s + e = x + y, p + f = x y + x + y
void error_free(const Pass& pass) {
    const In in_x = pass.in(0), in_y = pass.in(1);
    pass.each([&](ivec2 at) {
        const dvec4 x = dvec4(in_x(at)), y = dvec4(in_y(at));
        split(x + y, pass.out(0)(at), pass.out(1)(at));
        split(x * y + x + y, pass.out(2)(at), pass.out(3)(at));
    });
}

}  // namespace glsolve::inline v0_1::host
