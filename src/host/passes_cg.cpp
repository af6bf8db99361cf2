// The reference of the passes of conjugate gradients. See shaders/pass/cg_*.glsl.
#include <cmath>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

constexpr float half_ulp = 5.9604645e-8f;  // 2^-24

// y <- y + alpha p,  r <- r - alpha q,  sum <- ((r,z), (r,r), (y,y), 0)
template <bool jacobi>
void update(const Pass& pass) {
    const In in_y = pass.in(0), in_p = pass.in(1), in_r = pass.in(2), in_q = pass.in(3);
    const Out out_y = pass.out(0), out_r = pass.out(1), out_sum = pass.out(jacobi ? 3 : 2);
    const vec4 alpha = step_length(pass.scalar(0));
    pass.each([&](ivec2 at) {
        vec4 y = in_y(at), r = in_r(at);
        y = pass.commit(y, y + alpha * in_p(at));
        r = pass.commit(r, r - alpha * in_q(at));
        vec4 z = r;
        if constexpr (jacobi) {
            z = pass.in(4)(at)*r;
            pass.out(2)(at) = z;
        }
        out_y(at) = y;
        out_r(at) = r;
        out_sum(at) = vec4(glm::dot(r, z), glm::dot(r, r), glm::dot(y, y), 0.0f);
    });
}

}  // namespace

void cg_update(const Pass& pass) { update<false>(pass); }
void cg_update_jacobi(const Pass& pass) { update<true>(pass); }

// The end of an iteration: one texel decides for all.
void cg_control(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 state = pass.in(0)(at), rho = pass.in(1)(at), beta = pass.in(2)(at), status = pass.in(3)(at);
    const vec4 sums = pass.in(4)(at), pi = pass.in(5)(at);
    const float target = pass.constant(0), norm = pass.constant(1);

    const bool alone = pass.integer(1) != 0;
    const float r = std::sqrt(sums.y);
    const float largest = std::max(state.x, r);
    const float drift = state.y + half_ulp * (norm * std::sqrt(sums.z) + r);
    const float iterations = status.y + 1.0f;

    Stop stop = Stop::running;
    if (is_bad(sums) || is_bad(pi)) {
        stop = Stop::not_finite;
    } else if (!(pi.x > 0.0f) || is_bad(rho / pi)) {
        stop = Stop::indefinite;
    } else if (r <= target) {
        stop = Stop::target;
    } else if (!alone && r < 0.1f * largest) {
        stop = Stop::reduced;
    } else if (!alone && drift > 0.1f * r && drift > 1.1f * state.z) {
        stop = Stop::drifted;
    } else if (iterations >= static_cast<float>(pass.integer(0))) {
        stop = Stop::limit;
    }

    const bool fresh = stop != Stop::not_finite && stop != Stop::indefinite;
    const bool running = stop == Stop::running;
    pass.out(0)(at) = pass.commit(state, fresh ? vec4(largest, drift, state.z, r) : state);
    pass.out(1)(at) = pass.commit(rho, running ? vec4(sums.x) : rho);
    pass.out(2)(at) = pass.commit(beta, running ? quotient(vec4(sums.x), rho) : vec4(0.0f));
    pass.out(3)(at) = pass.commit(status, vec4(static_cast<float>(stop), fresh ? iterations : status.y, r, 0.0f));
}

// After a correction: r is the true residual again, scaled anew.
void cg_restart(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 rho = pass.in(0)(at), rz = pass.in(1)(at), rr = pass.in(2)(at);
    const float rescale = pass.constant(0), keep = pass.constant(1);
    const float r = std::sqrt(rr.x);
    const float drift = half_ulp * r;
    const vec4 beta = quotient(rz, rho * rescale);
    pass.out(0)(at) = vec4(r, drift, drift, r);
    pass.out(1)(at) = rz;
    pass.out(2)(at) = is_bad(beta) ? vec4(0.0f) : keep * beta;
    pass.out(3)(at) = vec4(static_cast<float>(Stop::running), 0.0f, r, 0.0f);
}

// sum <- ((r,z), (r,r), (y,y), 0)
void cg_products(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const vec4 r = pass.in(0)(at), z = pass.in(1)(at), y = pass.in(2)(at);
        pass.out(0)(at) = vec4(glm::dot(r, z), glm::dot(r, r), glm::dot(y, y), 0.0f);
    });
}

}  // namespace glsolve::inline v0_1::host
