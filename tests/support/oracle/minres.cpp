// MINRES: C. C. Paige and M. A. Saunders, SIAM J. Numer. Anal. 12 (1975).
#include <algorithm>
#include <cmath>

#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

constexpr double negligible = 0x1p-22;  // |A r| / (|A| |r|) that is nothing but rounding errors
constexpr double beyond = 100;          // drift / |r| at which a correction is asked for

struct Step {
    dvec4 w, y;
};

// step = (d, e, f, tau):  w_next <- d z_before + e w + f w_before,  y += tau w_next
Step taken(const Given& g, ivec2 at, const char* z_before, const char* w, const char* w_before) {
    const dvec4 step = g.in("step"), y = g.in("y", at);
    const dvec4 next_w = step.x * g.in(z_before, at) + step.y * g.in(w, at) + step.z * g.in(w_before, at);
    return {next_w, step.w == 0 ? y : y + step.w * next_w};
}

// u_next <- sigma a q - (pi a^3) u + c u_before
Made update(const Given& g, ivec2 at) {
    const double a = g.scalar("lanczos").x, c = g.scalar("lanczos").y, sigma = g.scalar("lanczos").z;
    const double pi = g.scalar("pi").x;
    const dvec4 u_before = g.in("u_before", at);
    const dvec4 u = g.commit(u_before, sigma * a * g.in("q", at) - pi * a * a * a * g.in("u", at) + c * u_before);
    const Step step = taken(g, at, g.has("z_before") ? "z_before" : "u_before", "w", "w_before");
    const dvec4 y = g.commit(g.in("y", at), step.y);
    return {{"u_next", u},
            {"w_next", g.commit(g.in("w_before", at), step.w)},
            {"y", y},
            {"sum", {glm::dot(u, u), glm::dot(y, y), 0, 0}}};
}
Made finish(const Given& g, ivec2 at) {
    const bool even = std::fmod(g.in("status").y, 2) == 0;
    return {{"y", taken(g, at, even ? "z_odd" : "z_even", even ? "w_odd" : "w_even", even ? "w_even" : "w_odd").y}};
}

// lanczos = (1 / beta, -beta / beta before, sigma, drift), rotation = (c, s, dbar, epsilon), status.z = |r|
// uz = (u_next, M^-1 u_next), norms = (|r| in the norm of M^-1, the largest column of T)
Made control(const Given& g, ivec2 at) {
    const dvec4 lanczos = g.in("lanczos", at), rotation = g.in("rotation", at), step = g.in("step", at);
    const dvec4 before = g.in("status", at), pi = g.in("pi", at), sums = g.in("sums", at);
    const double c = rotation.x, s = rotation.y, dbar = rotation.z, r = before.z, norm = g.constant("norm");
    const bool preconditioned = g.has("uz");
    const double sigma = lanczos.z, phi = preconditioned ? g.in("norms", at).x : r;
    const double square = preconditioned ? sigma * g.in("uz", at).x : sums.x;
    const double alpha = pi.x * lanczos.x * lanczos.x, beta = std::sqrt(std::max(square, 0.0));
    const double delta = c * dbar + s * alpha, gbar = s * dbar - c * alpha, gamma = std::hypot(gbar, beta);
    const dvec4 next(sigma * lanczos.x / gamma, -delta / gamma, -rotation.w / gamma, phi * gbar / gamma);
    const double sine = beta / gamma, next_phi = phi * sine;
    // r <- s^2 r - (next_phi c / beta) u_next, two parts at right angles
    const double part = beta > 0 ? next_phi * gbar / gamma / beta * std::sqrt(sums.x) : 0;
    const double next_r = preconditioned ? std::hypot(sine * sine * r, part) : next_phi;
    const double of_t = preconditioned ? std::max(g.in("norms", at).y, std::hypot(alpha, beta)) : norm;
    const double rounding = g.constant("caution") * half_ulp() * (norm * std::sqrt(sums.y) + r);
    const double drift = std::hypot(lanczos.w, rounding);
    const Stop stop = bad(sums) || bad(pi)                              ? Stop::not_finite
                      : square <= 0 && sums.x > 0                       ? Stop::indefinite
                      : std::hypot(gbar, c * beta) <= negligible * of_t ? Stop::stationary
                      : bad(next)                                       ? Stop::not_finite
                      : next_r <= g.constant("target")                  ? Stop::target
                      : drift > beyond * next_r                         ? Stop::drifted
                      : before.y + 1 >= g.integer("limit")              ? Stop::limit
                                                                        : Stop::running;
    const bool has_step = stop != Stop::not_finite && stop != Stop::indefinite;
    const bool takes_step = has_step && stop != Stop::stationary;
    const double size = takes_step ? next_r : r;
    const double iterations = has_step ? before.y + 1 : before.y;
    return {{"lanczos", g.commit(lanczos, {beta == 0 ? 0 : 1 / beta, -beta * lanczos.x, sigma, drift})},
            {"rotation", g.commit(rotation, {gbar / gamma, beta / gamma, -c * beta, s * beta})},
            {"norms", preconditioned ? g.commit(g.in("norms", at), {next_phi, of_t, 0, 0}) : dvec4(0)},
            {"step", g.commit(step, takes_step ? next : dvec4(0))},
            {"status", g.commit(before, status(stop, iterations, size, size))}};
}

// The residual is the first Lanczos vector, and there is no step to take yet.
Made restart(const Given& g, ivec2 at) {
    const double r = std::sqrt(g.in("rr", at).x), square = g.has("uz") ? g.in("uz", at).x : r * r;
    const double beta = std::sqrt(std::abs(square));
    return {{"lanczos", {beta == 0 ? 0 : 1 / beta, 0, square < 0 ? -1 : 1, half_ulp() * r}},
            {"rotation", {-1, 0, 0, 0}},
            {"norms", {beta, 0, 0, 0}},
            {"step", dvec4(0)},
            {"status", status(square == 0 && r > 0 ? Stop::indefinite : Stop::running, 0, r, r)}};
}

}  // namespace

std::span<const Entry> formulas_of_minres() {
    static constexpr Entry all[] = {
        {"minres_update", update},
        {"minres_update_preconditioned", update},
        {"minres_finish", finish},
        {"minres_control", control},
        {"minres_control_preconditioned", control},
        {"minres_restart", restart},
        {"minres_restart_preconditioned", restart},
    };
    return all;
}

}  // namespace glsolve::test::oracle
