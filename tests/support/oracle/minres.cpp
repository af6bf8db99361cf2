// MINRES: C. C. Paige and M. A. Saunders, SIAM J. Numer. Anal. 12 (1975).
#include <cmath>

#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

constexpr double negligible = 0x1p-22;  // |A r| / (|A| |r|) that is nothing but rounding errors
constexpr double beyond = 100;          // drift / |r| at which a correction is asked for

// step = (d, e, f, tau):  w_next <- d u_before + e w + f w_before,  y += tau w_next
dvec4 next_w(const Given& g, ivec2 at) {
    const dvec4 step = g.in("step");
    return step.x * g.in("u_before", at) + step.y * g.in("w", at) + step.z * g.in("w_before", at);
}
dvec4 next_y(const Given& g, ivec2 at) {
    const double tau = g.in("step").w;
    return tau == 0 ? g.in("y", at) : g.in("y", at) + tau * next_w(g, at);
}

// u_next <- a q - (pi a^3) u + c u_before
Made update(const Given& g, ivec2 at) {
    const double a = g.scalar("lanczos").x, c = g.scalar("lanczos").y, pi = g.scalar("pi").x;
    const dvec4 u_before = g.in("u_before", at);
    const dvec4 u = g.commit(u_before, a * g.in("q", at) - pi * a * a * a * g.in("u", at) + c * u_before);
    const dvec4 y = g.commit(g.in("y", at), next_y(g, at));
    return {{"u_next", u},
            {"w_next", g.commit(g.in("w_before", at), next_w(g, at))},
            {"y", y},
            {"sum", {glm::dot(u, u), glm::dot(y, y), 0, 0}}};
}
Made finish(const Given& g, ivec2 at) { return {{"y", next_y(g, at)}}; }

// lanczos = (1 / beta, -beta / beta before, beta, drift), rotation = (c, s, dbar, epsilon), status.z = |r|
Made control(const Given& g, ivec2 at) {
    const dvec4 lanczos = g.in("lanczos", at), rotation = g.in("rotation", at), step = g.in("step", at);
    const dvec4 before = g.in("status", at), pi = g.in("pi", at), sums = g.in("sums", at);
    const double c = rotation.x, s = rotation.y, dbar = rotation.z, r = before.z, norm = g.constant("norm");
    const double alpha = pi.x * lanczos.x * lanczos.x, beta = std::sqrt(sums.x);
    const double delta = c * dbar + s * alpha, gbar = s * dbar - c * alpha, gamma = std::hypot(gbar, beta);
    const dvec4 next(lanczos.x / gamma, -delta / gamma, -rotation.w / gamma, r * gbar / gamma);
    const double next_r = r * beta / gamma;
    const double rounding = g.constant("caution") * half_ulp() * (norm * std::sqrt(sums.y) + r);
    const double drift = std::hypot(lanczos.w, rounding);
    const Stop stop = bad(sums) || bad(pi)                              ? Stop::not_finite
                      : std::hypot(gbar, c * beta) <= negligible * norm ? Stop::stationary
                      : bad(next)                                       ? Stop::not_finite
                      : next_r <= g.constant("target")                  ? Stop::target
                      : drift > beyond * next_r                         ? Stop::drifted
                      : before.y + 1 >= g.integer("limit")              ? Stop::limit
                                                                        : Stop::running;
    const bool takes_step = stop != Stop::not_finite && stop != Stop::stationary;
    const double size = takes_step ? next_r : r;
    const double iterations = stop == Stop::not_finite ? before.y : before.y + 1;
    return {{"lanczos", g.commit(lanczos, {beta == 0 ? 0 : 1 / beta, -beta * lanczos.x, beta, drift})},
            {"rotation", g.commit(rotation, {gbar / gamma, beta / gamma, -c * beta, s * beta})},
            {"step", g.commit(step, takes_step ? next : dvec4(0))},
            {"status", g.commit(before, status(stop, iterations, size, size))}};
}

// The residual is the first Lanczos vector, and there is no step to take yet.
Made restart(const Given& g, ivec2 at) {
    const double beta = std::sqrt(g.in("rr", at).x);
    return {{"lanczos", {beta == 0 ? 0 : 1 / beta, 0, beta, half_ulp() * beta}},
            {"rotation", {-1, 0, 0, 0}},
            {"step", dvec4(0)},
            {"status", status(Stop::running, 0, beta, beta)}};
}

}  // namespace

std::span<const Entry> formulas_of_minres() {
    static constexpr Entry all[] = {
        {"minres_update", update}, {"minres_finish", finish}, {"minres_control", control}, {"minres_restart", restart}};
    return all;
}

}  // namespace glsolve::test::oracle
