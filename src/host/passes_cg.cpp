// The reference of the passes of conjugate gradients. See shaders/pass/cg_*.glsl.
#include <cmath>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

constexpr float half_ulp = 5.9604645e-8f;  // 2^-24
constexpr auto running = static_cast<float>(Stop::running), absent = static_cast<float>(Stop::absent);

/// What the middle of an iteration leaves of the sums (r,z), (r,r), (y,y): for one right-hand side all three; of a
/// Field's nothing, or each.
enum class Sums { of_one, none, of_four };

// y <- y + alpha p,  r <- r - alpha q,  z <- d * r, which is kept for one right-hand side
template <bool jacobi, Sums sums = Sums::of_one>
void update(const Pass& pass) {
    const In in_y = pass.in(0), in_p = pass.in(1), in_r = pass.in(2), in_q = pass.in(3);
    const Out out_y = pass.out(0), out_r = pass.out(1);
    const vec4 alpha = step_length(pass.scalar(0));
    pass.each([&](ivec2 at) {
        vec4 y = in_y(at), r = in_r(at);
        y = pass.commit(y, y + alpha * in_p(at));
        r = pass.commit(r, r - alpha * in_q(at));
        vec4 z = r;
        if constexpr (jacobi && sums == Sums::of_four) {
            z = Numbers(pass.in(4), pass.integer(1))[(at.y << pass.integer(0)) + at.x] * r;
        } else if constexpr (jacobi) {
            z = pass.in(4)(at)*r;
            pass.out(2)(at) = z;
        }
        out_y(at) = y;
        out_r(at) = r;
        if constexpr (sums == Sums::of_four) {
            pass.out(2)(at) = r * z;
            pass.out(3)(at) = r * r;
            pass.out(4)(at) = y * y;
        } else if constexpr (sums == Sums::of_one) {
            pass.out(jacobi ? 3 : 2)(at) = vec4(glm::dot(r, z), glm::dot(r, r), glm::dot(y, y), 0.0f);
        }
    });
}

/// Are the iterations used up? Of four right-hand sides as well when the first that stopped has waited as long as it
/// had run.
template <bool field>
bool is_over(const Pass& pass, float iterations) {
    float first = iterations;
    for (int k = 0; field && k < 4; ++k) {
        const vec4 other = pass.in(3)({k, 0});
        if (other.x != running && other.x != absent) first = std::min(first, other.y);
    }
    return iterations >= static_cast<float>(pass.integer(0)) || (pass.constant(1) < 1 && iterations > 2 * first);
}

/// The end of an iteration: the texel at `at` decides. `field`: for one of four right-hand sides.
template <bool field>
void control(const Pass& pass, ivec2 at) {
    const vec4 state = pass.in(0)(at), rho = pass.in(1)(at), beta = pass.in(2)(at), status = pass.in(3)(at);
    const auto own = [&](int input) { return pass.in(input)({0, 0})[at.x]; };
    const vec4 sums = field ? vec4(own(4), own(5), own(6), 0.0f) : pass.in(4)(at);
    const vec4 pi = field ? vec4(own(7)) : pass.in(5)(at);
    const float target = field ? state.w : pass.constant(0), norm = pass.constant(field ? 0 : 1);
    const float tolerated = pass.constant(field ? 1 : 2);
    const bool done = field && status.x != running;

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
    } else if (tolerated < 1 && r < 0.1f * largest) {
        stop = Stop::reduced;
    } else if (drift > tolerated * r && drift > 1.1f * state.z) {
        stop = Stop::drifted;
    } else if (is_over<field>(pass, iterations)) {
        stop = Stop::limit;
    }

    const bool fresh = stop != Stop::not_finite && stop != Stop::indefinite;
    const bool goes_on = stop == Stop::running;
    const auto commit = [&](vec4 before, vec4 after) { return done ? before : pass.commit(before, after); };
    pass.out(0)(at) = commit(state, fresh ? vec4(largest, drift, state.z, field ? target : r) : state);
    if (!field && pass.integer(1) != 0) {  // rz_later
        pass.out(1)(at) = rho;
        pass.out(2)(at) = beta;
    } else {
        pass.out(1)(at) = commit(rho, goes_on ? vec4(sums.x) : rho);
        pass.out(2)(at) = commit(beta, goes_on ? quotient(vec4(sums.x), rho) : vec4(0.0f));
    }
    pass.out(3)(at) = commit(status, vec4(static_cast<float>(stop), fresh ? iterations : status.y, r, 0.0f));
}

// After a correction: r is the true residual again, scaled anew. `last`: of the state.
void restart(const Pass& pass, ivec2 at, vec4 rz, float rr, float rescale, float keep, float stop, const float* last) {
    const float r = std::sqrt(rr);
    const float drift = half_ulp * r;
    const vec4 beta = quotient(rz, pass.in(0)(at)*rescale);
    pass.out(0)(at) = vec4(r, drift, drift, last != nullptr ? *last : r);
    pass.out(1)(at) = rz;
    pass.out(2)(at) = is_bad(beta) ? vec4(0.0f) : keep * beta;
    pass.out(3)(at) = vec4(stop, 0.0f, r, 0.0f);
}

}  // namespace

void cg_update(const Pass& pass) { update<false>(pass); }
void cg_update_jacobi(const Pass& pass) { update<true>(pass); }
void cg_update_field(const Pass& pass) { update<false, Sums::none>(pass); }
void cg_update_field_sums(const Pass& pass) { update<false, Sums::of_four>(pass); }
void cg_update_field_sums_jacobi(const Pass& pass) { update<true, Sums::of_four>(pass); }
void cg_control(const Pass& pass) { control<false>(pass, {0, 0}); }
void cg_control_field(const Pass& pass) {
    pass.each([&](ivec2 at) { control<true>(pass, at); });
}

void cg_restart(const Pass& pass) {
    restart(pass, {0, 0}, pass.in(1)({0, 0}), pass.in(2)({0, 0}).x, pass.constant(0), pass.constant(1), running,
            nullptr);
}

void cg_restart_field(const Pass& pass) {
    pass.each([&](ivec2 at) {
        const vec4 plan = pass.in(3)(at);
        restart(pass, at, vec4(pass.in(1)({0, 0})[at.x]), pass.in(2)({0, 0})[at.x], plan.x, plan.y, plan.w, &plan.z);
    });
}

// What the texels of four right-hand sides say, side by side, and one status for all of them.
void cg_gather(const Pass& pass) {
    vec4 rho, beta, stops;
    float stop = static_cast<float>(Stop::limit), iterations = 0, r = 0;
    for (int k = 0; k < 4; ++k) {
        const vec4 status = pass.in(2)({k, 0});
        rho[k] = pass.in(0)({k, 0}).x;
        beta[k] = pass.in(1)({k, 0}).x;
        stops[k] = status.x;
        iterations = std::max(iterations, status.y);
        if (status.x == running) {
            stop = running;
            r = std::max(r, status.z);
        }
    }
    const ivec2 at(0, 0);
    pass.out(0)(at) = rho;
    pass.out(1)(at) = beta;
    pass.out(2)(at) = stops;
    pass.out(3)(at) = vec4(stop, iterations, r, pass.in(2)(at).z);
}

// beta <- (r,z) / rho,  rho <- (r,z)
void cg_direction(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 rho = pass.in(0)(at), beta = pass.in(1)(at), rz = pass.in(2)(at);
    pass.out(0)(at) = pass.commit(rho, rz);
    pass.out(1)(at) = pass.commit(beta, quotient(rz, rho));
}

}  // namespace glsolve::inline v0_1::host
