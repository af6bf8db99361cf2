// The reference of the passes of BiCGStab(2). See shaders/pass/bicgstab2_*.glsl.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

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
}  // namespace glsolve::inline v0_1::host
