// The reference of the passes of pipelined conjugate gradients. See shaders/pass/pipelined_*.glsl.
#include <cmath>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

constexpr float half_ulp = 5.9604645e-8f;  // 2^-24
constexpr float rounding = 4.7683716e-7f;  // 2^-21: of a difference of ones

enum class Form { none, jacobi, preconditioned };

/// A step of no length takes nothing, whatever the direction holds.
vec4 moved(const Pass& pass, vec4 x, float a, vec4 direction) {
    return pass.commit(x, a == 0.0f ? x : x + a * direction);
}

/// z, which p is made from, of the residual r; `last`: the last input. With a preconditioner z moves by itself.
template <Form form>
vec4 preconditioned(const Pass& pass, ivec2 at, vec4 r, float alpha, int last) {
    if constexpr (form == Form::jacobi) return pass.in(last)(at)*r;
    if constexpr (form == Form::preconditioned) {
        const vec4 z = moved(pass, pass.in(last - 1)(at), -alpha, pass.in(last)(at));
        pass.out(2)(at) = z;
        return z;
    }
    return r;
}

vec4 direction(const Pass& pass, vec4 p, vec4 z, float beta) { return pass.commit(p, beta == 0.0f ? z : z + beta * p); }

// y <- y + alpha p,  r <- r - alpha s,  p <- z + beta p
template <Form form>
void update(const Pass& pass) {
    const In in_y = pass.in(0), in_p = pass.in(1), in_r = pass.in(2), in_s = pass.in(3);
    const float alpha = pass.scalar(0).x, beta = pass.scalar(0).y;
    const Out out_p = pass.out(form == Form::preconditioned ? 3 : 2);
    pass.each([&](ivec2 at) {
        const vec4 p = in_p(at), r = moved(pass, in_r(at), -alpha, in_s(at));
        pass.out(0)(at) = moved(pass, in_y(at), alpha, p);
        pass.out(1)(at) = r;
        const vec4 z = preconditioned<form>(pass, at, r, alpha, form == Form::preconditioned ? 5 : 4);
        out_p(at) = direction(pass, p, z, beta);
    });
}

// r + r_low <- r + r_low - alpha (s + s_low),  p <- z + beta p
template <Form form>
void update_two_float(const Pass& pass) {
    const In in_p = pass.in(0), in_r = pass.in(1), in_r_low = pass.in(2), in_s = pass.in(3), in_s_low = pass.in(4);
    const float alpha = pass.scalar(0).x, beta = pass.scalar(0).y;
    // With a preconditioner z stands before p, in the place where moved() has put it.
    const Out out_p = pass.out(form == Form::preconditioned ? 3 : 2);
    pass.each([&](ivec2 at) {
        const dvec4 before = dvec4(in_r(at)) + dvec4(in_r_low(at)), s = dvec4(in_s(at)) + dvec4(in_s_low(at));
        vec4 hi, lo;
        split(alpha == 0.0f ? before : before - static_cast<double>(alpha) * s, hi, lo);
        const vec4 r = pass.commit(in_r(at), hi), p = in_p(at);
        pass.out(0)(at) = r;
        pass.out(1)(at) = pass.commit(in_r_low(at), lo);
        const vec4 z = preconditioned<form>(pass, at, r, alpha, form == Form::preconditioned ? 6 : 5);
        out_p(at) = direction(pass, p, z, beta);
    });
}

// sum <- ((r,z), (p,s), (u,s), (z,s))
template <Form form>
void dots(const Pass& pass) {
    const In in_p = pass.in(0), in_r = pass.in(1), in_s = pass.in(2);
    pass.each([&](ivec2 at) {
        const vec4 r = in_r(at), s = in_s(at);
        vec4 z = r, u = s;
        if constexpr (form == Form::jacobi) z = pass.in(3)(at)*r, u = pass.in(3)(at)*s;
        if constexpr (form == Form::preconditioned) z = pass.in(3)(at), u = pass.in(4)(at);
        pass.out(0)(at) = vec4(glm::dot(r, z), glm::dot(in_p(at), s), glm::dot(u, s), glm::dot(z, s));
    });
}

}  // namespace

void pipelined_update(const Pass& pass) { update<Form::none>(pass); }
void pipelined_update_jacobi(const Pass& pass) { update<Form::jacobi>(pass); }
void pipelined_update_preconditioned(const Pass& pass) { update<Form::preconditioned>(pass); }
void pipelined_update_two_float(const Pass& pass) { update_two_float<Form::none>(pass); }
void pipelined_update_two_float_jacobi(const Pass& pass) { update_two_float<Form::jacobi>(pass); }
void pipelined_update_two_float_preconditioned(const Pass& pass) { update_two_float<Form::preconditioned>(pass); }
void pipelined_dots(const Pass& pass) { dots<Form::none>(pass); }
void pipelined_dots_jacobi(const Pass& pass) { dots<Form::jacobi>(pass); }
void pipelined_dots_preconditioned(const Pass& pass) { dots<Form::preconditioned>(pass); }

// The end of an iteration: one texel decides for all.
void pipelined_control(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 state = pass.in(0)(at), step = pass.in(1)(at), lengths = pass.in(2)(at), status = pass.in(3)(at);
    const vec4 sums = pass.in(4)(at);
    const float nu = sums.x, mu = sums.y, gamma = sums.z, delta = sums.w;
    const float target = pass.constant(0), norm = pass.constant(1);
    const float tolerated = pass.constant(2);

    const float yy = lengths.z + 2.0f * step.x * lengths.y + step.x * step.x * lengths.x;
    const float yp = step.y * (lengths.y + step.x * lengths.x);
    const float pp = nu + step.y * step.y * lengths.x;
    const float r = state.w * std::sqrt(std::abs(nu));
    const float largest = std::max(state.x, r);
    const float drift = state.y + half_ulp * (norm * std::sqrt(std::max(yy, 0.0f)) + r);
    const float iterations = status.y + 1.0f;

    const float alpha = nu / mu;
    float beta = (alpha * gamma - delta) / mu;
    beta = beta > rounding && !is_bad(vec4(beta)) ? beta : 0.0f;

    Stop stop = Stop::running;
    if (is_bad(sums)) {
        stop = Stop::not_finite;
    } else if (r <= target) {
        stop = Stop::target;
    } else if (!(mu > 0.0f) || !(nu > 0.0f) || is_bad(vec4(alpha))) {
        stop = Stop::indefinite;
    } else if (tolerated < 1 && r < 0.1f * largest) {
        stop = Stop::reduced;
    } else if (drift > tolerated * r && drift > 1.1f * state.z) {
        stop = Stop::drifted;
    } else if (iterations >= static_cast<float>(pass.integer(0))) {
        stop = Stop::limit;
    }

    const bool fresh = stop != Stop::not_finite;
    const bool running = stop == Stop::running;
    pass.out(0)(at) = pass.commit(state, fresh ? vec4(largest, drift, state.z, state.w) : state);
    pass.out(1)(at) = pass.commit(step, vec4(running ? alpha : 0.0f, running ? beta : 0.0f, fresh ? nu : step.z, 0.0f));
    pass.out(2)(at) = pass.commit(lengths, fresh ? vec4(pp, yp, yy, 0.0f) : lengths);
    pass.out(3)(at) = pass.commit(
        status, vec4(static_cast<float>(stop), fresh ? iterations : std::max(status.y, 0.0f), r, fresh ? r : status.w));
}

// After a correction: r is the true residual again, scaled anew; a step of no length comes next.
void pipelined_restart(const Pass& pass) {
    const ivec2 at(0, 0);
    const float before = pass.in(0)(at).z, nu = pass.in(2)(at).x, r = std::sqrt(pass.in(3)(at).x);
    const float rescale = pass.constant(0), keep = pass.constant(1);
    float beta = keep * nu / (rescale * before);
    if (is_bad(vec4(beta)) || keep == 0.0f) beta = 0.0f;
    pass.out(0)(at) = vec4(r, 0.0f, half_ulp * r, quotient(vec4(r), vec4(std::sqrt(std::abs(nu)))).x);
    pass.out(1)(at) = vec4(0.0f, beta, nu, 0.0f);
    pass.out(2)(at) = vec4(beta == 0.0f ? 0.0f : std::max(pass.in(1)(at).x - before, 0.0f), 0.0f, 0.0f, 0.0f);
    pass.out(3)(at) = vec4(static_cast<float>(Stop::running), -1.0f, r, r);
}

}  // namespace glsolve::inline v0_1::host
