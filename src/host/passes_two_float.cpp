// The reference of the passes in two floats. It has no need of error-free arithmetic: double precision holds two
// floats.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

namespace {

// y + y_low <- y + y_low + a x
void axpy(const Pass& pass, vec4 factor) {
    const In in_y = pass.in(0), in_y_low = pass.in(1), in_x = pass.in(2);
    const dvec4 a = dvec4(factor);
    pass.each([&](ivec2 at) {
        vec4 hi, lo;
        split(dvec4(in_y(at)) + dvec4(in_y_low(at)) + a * dvec4(in_x(at)), hi, lo);
        pass.out(0)(at) = pass.commit(in_y(at), hi);
        pass.out(1)(at) = pass.commit(in_y_low(at), lo);
    });
}

// r + r_low <- r + r_low - alpha (q + q_low),  sum <- ((r,z), (r,r), 0, 0)
template <bool jacobi>
void update(const Pass& pass) {
    const In in_r = pass.in(0), in_r_low = pass.in(1), in_q = pass.in(2), in_q_low = pass.in(3);
    const dvec4 alpha = dvec4(step_length(pass.scalar(0)));
    pass.each([&](ivec2 at) {
        vec4 hi, lo;
        const dvec4 q = dvec4(in_q(at)) + dvec4(in_q_low(at));
        split(dvec4(in_r(at)) + dvec4(in_r_low(at)) - alpha * q, hi, lo);
        const vec4 r = pass.commit(in_r(at), hi);
        vec4 z = r;
        if constexpr (jacobi) {
            z = pass.in(4)(at)*r;
            pass.out(2)(at) = z;
        }
        pass.out(0)(at) = r;
        pass.out(1)(at) = pass.commit(in_r_low(at), lo);
        pass.out(jacobi ? 3 : 2)(at) = vec4(glm::dot(r, z), glm::dot(r, r), 0.0f, 0.0f);
    });
}

}  // namespace

void two_float_axpy(const Pass& pass) { axpy(pass, pass.scalar(0)); }
void cg_step_two_float(const Pass& pass) { axpy(pass, step_length(pass.scalar(0))); }
void pipelined_step_two_float(const Pass& pass) { axpy(pass, step_length(vec4(pass.scalar(0).x))); }
void cg_update_two_float(const Pass& pass) { update<false>(pass); }
void cg_update_two_float_jacobi(const Pass& pass) { update<true>(pass); }

// sum <- (|w t|^2, |t|^2, |s t - r|^2, 0)
void residual_norms(const Pass& pass) {
    const In in_t = pass.in(0), in_r = pass.in(1), in_w = pass.in(2);
    const bool weights = pass.integer(0) != 0;
    const Out out_sum = pass.out(0);
    pass.each([&](ivec2 at) {
        const vec4 drift = pass.constant(0) * in_t(at) - in_r(at), t = pass.scalar(0) * in_t(at);
        const vec4 unscaled = weights ? in_w(at) * t : t;
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
