// The reference of the passes of BiCGStab(2). See shaders/pass/bicgstab2_*.glsl.
#include <cmath>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

constexpr float half_ulp = 5.9604645e-8f;  // 2^-24
constexpr float orthogonal = 1e-6f;        // cosine of an angle that is as good as right

}  // namespace

// y <- y + alpha u,  r <- r - alpha v
void bicgstab2_half(const Pass& pass) {
    const float alpha = finite_or_zero(pass.scalar(0)).x;
    pass.each([&](ivec2 at) {
        const vec4 y = pass.in(0)(at), r = pass.in(1)(at), u = pass.in(2)(at), v = pass.in(3)(at);
        pass.out(0)(at) = pass.commit(y, y + alpha * u);
        pass.out(1)(at) = pass.commit(r, r - alpha * v);
    });
}

// beta <- (r0,s) / gamma,  rho <- (r0,s)
void bicgstab2_beta(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 rs = pass.in(0)(at), gamma = pass.in(1)(at);
    pass.out(0)(at) = finite_or_zero(quotient(rs, gamma));
    pass.out(1)(at) = rs;
}

// u <- r - beta u,  r <- r - alpha v,  s <- s - alpha w
void bicgstab2_second(const Pass& pass) {
    const float alpha = finite_or_zero(pass.scalar(0)).x, beta = pass.scalar(1).x;
    pass.each([&](ivec2 at) {
        const vec4 u = pass.in(0)(at), r = pass.in(1)(at), s = pass.in(2)(at);
        const vec4 v = pass.in(3)(at), w = pass.in(4)(at);
        pass.out(0)(at) = r - beta * u;
        pass.out(1)(at) = pass.commit(r, r - alpha * v);
        pass.out(2)(at) = s - alpha * w;
    });
}

// sum <- ((r,s), (s,s), (s,t), (t,t))
void bicgstab2_products(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const vec4 r = pass.in(0)(at), s = pass.in(1)(at), t = pass.in(2)(at);
        pass.out(0)(at) = vec4(glm::dot(r, s), glm::dot(s, s), glm::dot(s, t), glm::dot(t, t));
    });
}

void bicgstab2_omegas(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 products = pass.in(0)(at);
    const float rt = pass.in(1)(at).x, rho = pass.in(2)(at).x, gamma = pass.in(3)(at).x;
    const float mu = products.y, nu = products.z;
    const float tau = products.w - nu * nu / mu;
    const float omega2 = (rt - nu * products.x / mu) / tau;
    const float omega1 = (products.x - nu * omega2) / mu;
    pass.out(0)(at) = finite_or_zero(vec4(omega1, omega2, rho / gamma, 0.0f));
}

void bicgstab2_update(const Pass& pass) {
    const vec4 omegas = pass.scalar(0);
    pass.each([&](ivec2 at) {
        const vec4 before = pass.in(0)(at), s = pass.in(3)(at), t = pass.in(4)(at);
        const vec4 v = pass.in(5)(at), w = pass.in(6)(at);
        vec4 r = pass.in(1)(at), u = pass.in(2)(at);
        const vec4 y = pass.commit(before, before + (omegas.x * r + omegas.y * s + omegas.z * u));
        u = u - (omegas.x * v + omegas.y * w);
        r = pass.commit(r, r - (omegas.x * s + omegas.y * t));
        pass.out(0)(at) = y;
        pass.out(1)(at) = r;
        pass.out(2)(at) = u;
        pass.out(3)(at) = vec4(glm::dot(pass.in(7)(at), r), glm::dot(r, r), glm::dot(y, y), 0.0f);
    });
}

void bicgstab2_control(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 state = pass.in(0)(at), rho = pass.in(1)(at), before = pass.in(2)(at), status = pass.in(3)(at);
    const vec4 sums = pass.in(4)(at), omegas = pass.in(5)(at);
    const float shadow = pass.in(6)(at).x;
    const float target = pass.constant(0), norm = pass.constant(1);

    const float r = std::sqrt(sums.y);
    const float largest = std::max(state.x, r);
    const float drift = state.y + half_ulp * (norm * std::sqrt(sums.z) + largest);
    const float iterations = status.y + 1.0f;
    const float beta = omegas.z * sums.x / (-omegas.y * rho.x);

    Stop stop = Stop::running;
    if (is_bad(sums)) {
        stop = Stop::not_finite;
    } else if (r <= target) {
        stop = Stop::target;
    } else if (!std::isfinite(beta) || omegas.y == 0 || omegas.z == 0
               || std::abs(sums.x) <= orthogonal * r * std::sqrt(shadow)) {
        stop = Stop::breakdown;
    } else if (drift > 0.1f * r && drift > 1.1f * state.z) {
        stop = Stop::drifted;
    } else if (iterations >= static_cast<float>(pass.integer(0))) {
        stop = Stop::limit;
    }
    const bool running = stop == Stop::running;
    pass.out(0)(at) = pass.commit(state, vec4(largest, drift, state.z, r));
    pass.out(1)(at) = pass.commit(rho, running ? vec4(sums.x) : rho);
    pass.out(2)(at) = pass.commit(before, running ? vec4(beta) : vec4(0.0f));
    pass.out(3)(at) = pass.commit(status, vec4(static_cast<float>(stop), iterations, r, 0.0f));
}

}  // namespace glsolve::inline v0_1::host
