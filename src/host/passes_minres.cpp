// The reference of the passes of MINRES. See shaders/pass/minres_*.glsl.
#include <cmath>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

constexpr float half_ulp = 5.9604645e-8f;    // 2^-24
constexpr float negligible = 2.3841858e-7f;  // 2^-22: |A r| / (|A| |r|) that is nothing but rounding errors
constexpr float beyond = 100;                // drift / |r| at which a correction is asked for

/// What the step of an iteration makes of a texel:  w = d u_before + e w_last + f w_before,  y + tau w. No step takes
/// nothing, whatever the vectors hold.
struct Step {
    vec4 u_before, w_before, w, y;

    Step(const Pass& pass, ivec2 at) : u_before(pass.in(0)(at)), w_before(pass.in(1)(at)), y(pass.in(3)(at)) {
        const vec4 factors = pass.in(4)(ivec2(0, 0));
        w = factors.x * u_before + factors.y * pass.in(2)(at) + factors.z * w_before;
        if (factors.w != 0) y += factors.w * w;
    }
};

}  // namespace

// u_next <- a q - (pi a^3) u + c u_before, and the step
void minres_update(const Pass& pass) {
    const vec4 lanczos = pass.scalar(0);
    const float a = lanczos.x, alpha = pass.scalar(1).x * a * a;
    pass.each([&](ivec2 at) {
        const Step step(pass, at);
        const vec4 next = a * pass.in(6)(at) - (alpha * a) * pass.in(5)(at) + lanczos.y * step.u_before;
        const vec4 u = pass.commit(step.u_before, next), y = pass.commit(pass.in(3)(at), step.y);
        pass.out(0)(at) = u;
        pass.out(1)(at) = pass.commit(step.w_before, step.w);
        pass.out(2)(at) = y;
        pass.out(3)(at) = vec4(glm::dot(u, u), glm::dot(y, y), 0.0f, 0.0f);
    });
}

// The step that is left, where no further vector is needed.
void minres_finish(const Pass& pass) {
    pass.each([&](ivec2 at) { pass.out(0)(at) = Step(pass, at).y; });
}

// The end of an iteration: one texel decides for all.
void minres_control(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 lanczos = pass.in(0)(at), rotation = pass.in(1)(at), step = pass.in(2)(at), status = pass.in(3)(at);
    const vec4 pi = pass.in(4)(at), sums = pass.in(5)(at);
    const float target = pass.constant(0), norm = pass.constant(1), caution = pass.constant(2);
    const float c = rotation.x, s = rotation.y, dbar = rotation.z, epsilon = rotation.w, r = status.z;

    const float alpha = pi.x * lanczos.x * lanczos.x, beta = std::sqrt(sums.x);
    const float delta = c * dbar + s * alpha, gbar = s * dbar - c * alpha;
    const float next_dbar = -c * beta, next_epsilon = s * beta;
    const float gamma = std::sqrt(gbar * gbar + beta * beta);
    const float a_r = std::sqrt(gbar * gbar + next_dbar * next_dbar);
    const vec4 next(lanczos.x / gamma, -delta / gamma, -epsilon / gamma, r * (gbar / gamma));
    const float next_r = r * (beta / gamma);
    const float rounding = caution * half_ulp * (norm * std::sqrt(sums.y) + r);
    const float drift = std::sqrt(lanczos.w * lanczos.w + rounding * rounding);
    const float iterations = status.y + 1.0f;

    Stop stop = Stop::running;
    if (is_bad(sums) || is_bad(pi)) {
        stop = Stop::not_finite;
    } else if (a_r <= negligible * norm) {
        stop = Stop::stationary;
    } else if (is_bad(next)) {
        stop = Stop::not_finite;
    } else if (next_r <= target) {
        stop = Stop::target;
    } else if (drift > beyond * next_r) {
        stop = Stop::drifted;
    } else if (iterations >= static_cast<float>(pass.integer(0))) {
        stop = Stop::limit;
    }
    const bool takes_step = stop != Stop::not_finite && stop != Stop::stationary;
    const float size = takes_step ? next_r : r;
    const float counted = stop == Stop::not_finite ? status.y : iterations;
    pass.out(0)(at) = pass.commit(lanczos, vec4(quotient(vec4(1.0f), vec4(beta)).x, -beta * lanczos.x, beta, drift));
    pass.out(1)(at) = pass.commit(rotation, vec4(gbar / gamma, beta / gamma, next_dbar, next_epsilon));
    pass.out(2)(at) = pass.commit(step, takes_step ? next : vec4(0.0f));
    pass.out(3)(at) = pass.commit(status, vec4(static_cast<float>(stop), counted, size, size));
}

// After a correction: the residual is the first Lanczos vector, and there is no step to take yet.
void minres_restart(const Pass& pass) {
    const ivec2 at(0, 0);
    const float beta = std::sqrt(pass.in(0)(at).x);
    pass.out(0)(at) = vec4(quotient(vec4(1.0f), vec4(beta)).x, 0.0f, beta, half_ulp * beta);
    pass.out(1)(at) = vec4(-1.0f, 0.0f, 0.0f, 0.0f);
    pass.out(2)(at) = vec4(0.0f);
    pass.out(3)(at) = vec4(static_cast<float>(Stop::running), 0.0f, beta, beta);
}

}  // namespace glsolve::inline v0_1::host
