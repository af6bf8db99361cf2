// The reference of the passes of BiCGStab, and of the end of an iteration of BiCGStab(2). See
// shaders/pass/bicgstab_*.glsl.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

constexpr float half_ulp = 5.9604645e-8f;  // 2^-24
constexpr float orthogonal = 1e-6f;        // |(r0,r)| / (|r0| |r|) below which r0 has nothing left to say

enum class Preconditioned { not_at_all, by_jacobi };

// p <- r + beta (p - omega v)
template <Preconditioned by>
void direction(const Pass& pass) {
    const float beta = pass.scalar(0).x, omega = pass.scalar(0).y;
    pass.each([&](ivec2 at) {
        const vec4 before = pass.in(0)(at), r = pass.in(1)(at);
        const vec4 p = pass.commit(before, beta == 0 ? r : r + beta * (before - omega * pass.in(2)(at)));
        pass.out(0)(at) = p;
        if constexpr (by == Preconditioned::by_jacobi) pass.out(1)(at) = pass.in(3)(at)*p;
    });
}

// s <- r - alpha v
template <Preconditioned by>
void half(const Pass& pass) {
    const float alpha = finite_or_zero(pass.scalar(0)).x;
    pass.each([&](ivec2 at) {
        const vec4 s = pass.in(0)(at)-alpha * pass.in(1)(at);
        pass.out(0)(at) = s;
        if constexpr (by == Preconditioned::by_jacobi) pass.out(1)(at) = pass.in(2)(at)*s;
    });
}

/// What the last step of an iteration was, and how the next direction's factors follow from beta.
struct LastStep {
    float alpha, omega;
    bool bad;
    std::function<vec4(float beta)> factors;
    float shadow;
};

void control(const Pass& pass, const LastStep& last) {
    const ivec2 at(0, 0);
    const vec4 state = pass.in(0)(at), rho = pass.in(1)(at), factors = pass.in(2)(at), status = pass.in(3)(at);
    const vec4 sums = pass.in(4)(at);
    const float target = pass.constant(0), norm = pass.constant(1);

    const float r = std::sqrt(sums.y);
    const float largest = std::max(state.x, r);
    const float drift = state.y + half_ulp * (norm * std::sqrt(sums.z) + largest);
    const float iterations = status.y + 1.0f;
    const float beta = (sums.x / rho.x) * (last.alpha / last.omega);

    Stop stop = Stop::running;
    if (is_bad(sums) || last.bad) {
        stop = Stop::not_finite;
    } else if (r <= target) {
        stop = Stop::target;
    } else if (is_bad(vec4(last.alpha, last.omega, beta, 0.0f)) || last.alpha == 0 || last.omega == 0) {
        stop = Stop::breakdown;
    } else if (std::abs(sums.x) <= orthogonal * r * std::sqrt(last.shadow)) {
        stop = Stop::breakdown;
    } else if (drift > pass.constant(2) * r && drift > 1.1f * state.z) {
        stop = Stop::drifted;
    } else if (iterations >= static_cast<float>(pass.integer(0))) {
        stop = Stop::limit;
    }
    const bool running = stop == Stop::running;
    pass.out(0)(at) = pass.commit(state, vec4(largest, drift, state.z, r));
    pass.out(1)(at) = pass.commit(rho, running ? vec4(sums.x) : rho);
    pass.out(2)(at) = pass.commit(factors, running ? last.factors(beta) : vec4(0.0f));
    pass.out(3)(at) = pass.commit(status, vec4(static_cast<float>(stop), iterations, r, 0.0f));
}

}  // namespace

void bicgstab_direction(const Pass& pass) { direction<Preconditioned::not_at_all>(pass); }
void bicgstab_direction_jacobi(const Pass& pass) { direction<Preconditioned::by_jacobi>(pass); }
void bicgstab_half(const Pass& pass) { half<Preconditioned::not_at_all>(pass); }
void bicgstab_half_jacobi(const Pass& pass) { half<Preconditioned::by_jacobi>(pass); }

// sum <- ((t,s), (t,t), 0, 0)
void bicgstab_products(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const vec4 t = pass.in(0)(at), s = pass.in(1)(at);
        pass.out(0)(at) = vec4(glm::dot(t, s), glm::dot(t, t), 0.0f, 0.0f);
    });
}

// y <- y + alpha u + omega w,  r <- s - omega t,  sum <- ((r0,r), (r,r), (y,y), 0)
void bicgstab_update(const Pass& pass) {
    const float alpha = finite_or_zero(pass.scalar(0)).x;
    const vec4 products = pass.scalar(1);
    const float omega = finite_or_zero(quotient(vec4(products.x), vec4(products.y))).x;
    pass.each([&](ivec2 at) {
        vec4 y = pass.in(0)(at), r = pass.in(1)(at);
        y = pass.commit(y, y + (alpha * pass.in(2)(at) + omega * pass.in(3)(at)));
        r = pass.commit(r, pass.in(4)(at)-omega * pass.in(5)(at));
        pass.out(0)(at) = y;
        pass.out(1)(at) = r;
        pass.out(2)(at) = vec4(glm::dot(pass.in(6)(at), r), glm::dot(r, r), glm::dot(y, y), 0.0f);
    });
}

void bicgstab_control(const Pass& pass) {
    const vec4 rho = pass.in(1)(ivec2(0)), products = pass.in(5)(ivec2(0)), sigma = pass.in(6)(ivec2(0));
    const float omega = products.x / products.y;
    control(pass, {.alpha = rho.x / sigma.x,
                   .omega = omega,
                   .bad = is_bad(products) || is_bad(sigma),
                   .factors = [&](float beta) { return vec4(beta, omega, 0.0f, 0.0f); },
                   .shadow = pass.in(7)(ivec2(0)).x});
}

void bicgstab2_control(const Pass& pass) {
    const vec4 omegas = pass.in(5)(ivec2(0));
    control(pass, {.alpha = omegas.z,
                   .omega = -omegas.y,
                   .bad = false,
                   .factors = [](float beta) { return vec4(beta); },
                   .shadow = pass.in(6)(ivec2(0)).x});
}

void bicgstab_restart(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 rr = pass.in(0)(at);
    const float r = std::sqrt(rr.x), drift = half_ulp * r;
    pass.out(0)(at) = vec4(r, drift, drift, r);
    pass.out(1)(at) = rr;
    pass.out(2)(at) = vec4(0.0f);
    pass.out(3)(at) = vec4(static_cast<float>(Stop::running), 0.0f, r, 0.0f);
}

}  // namespace glsolve::inline v0_1::host
