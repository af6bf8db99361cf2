// BiCGStab: H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992); BiCGStab(2): G. L. G. Sleijpen and
// D. R. Fokkema, ETNA 1 (1993).
#include <algorithm>
#include <cmath>

#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

constexpr double orthogonal = 1e-6;  // |(r0,r)| / (|r0| |r|) below which r0 has nothing left to say

double finite_alpha(const Given& g) { return finite_or_zero(g.scalar("alpha")).x; }
dvec4 sums_of(dvec4 shadow, dvec4 r, dvec4 y) { return {glm::dot(shadow, r), glm::dot(r, r), glm::dot(y, y), 0}; }

// factors = (beta, omega, 0, 0):  p <- r + beta (p - omega v),  u <- d * p
Made direction(const Given& g, ivec2 at) {
    const double beta = g.scalar("factors").x, omega = g.scalar("factors").y;
    const dvec4 before = g.in("p", at), r = g.in("r", at);
    const dvec4 p = g.commit(before, beta == 0 ? r : r + beta * (before - omega * g.in("v", at)));
    return {{"p", p}, {"u", g.has("d") ? g.in("d", at) * p : p}};
}

// s <- r - alpha v,  w <- d * s
Made half(const Given& g, ivec2 at) {
    const dvec4 s = g.in("r", at) - finite_alpha(g) * g.in("v", at);
    return {{"s", s}, {"w", g.has("d") ? g.in("d", at) * s : s}};
}

Made products(const Given& g, ivec2 at) {
    const dvec4 t = g.in("t", at), s = g.in("s", at);
    return {{"sum", {glm::dot(t, s), glm::dot(t, t), 0, 0}}};
}

// y += alpha u + omega w,  r <- s - omega t,  omega = (t,s) / (t,t)
Made update(const Given& g, ivec2 at) {
    const dvec4 sums = g.scalar("products");
    const double alpha = finite_alpha(g), omega = finite_or_zero(quotient(dvec4(sums.x), dvec4(sums.y))).x;
    const dvec4 before = g.in("y", at);
    const dvec4 y = g.commit(before, before + alpha * g.in("u", at) + omega * g.in("w", at));
    const dvec4 r = g.commit(g.in("r", at), g.in("s", at) - omega * g.in("t", at));
    return {{"y", y}, {"r", r}, {"sum", sums_of(g.in("shadow", at), r, y)}};
}

/// The last step of an iteration.
struct Last {
    double alpha, omega;
    bool not_finite, two_steps;
    double shadow;  // |r0|^2
};
Made ended(const Given& g, ivec2 at, const Last& last) {
    const dvec4 state = g.in("state", at), rho = g.in("rho", at), factors = g.in("factors", at);
    const dvec4 before = g.in("status", at), sums = g.in("sums", at);
    const double r = std::sqrt(sums.y), largest = std::max(state.x, r), iterations = before.y + 1;
    const double drift = state.y + half_ulp() * (g.constant("norm") * std::sqrt(sums.z) + largest);
    const double beta = (sums.x / rho.x) * (last.alpha / last.omega);
    const bool broken = bad(last.alpha) || bad(last.omega) || bad(beta) || last.alpha == 0 || last.omega == 0
                        || std::abs(sums.x) <= orthogonal * r * std::sqrt(last.shadow);
    const Stop stop = bad(sums) || last.not_finite                                   ? Stop::not_finite
                      : r <= g.constant("target")                                    ? Stop::target
                      : broken                                                       ? Stop::breakdown
                      : drift > g.constant("tolerated") * r && drift > 1.1 * state.z ? Stop::drifted
                      : iterations >= g.integer("limit")                             ? Stop::limit
                                                                                     : Stop::running;
    const bool running = stop == Stop::running;
    const dvec4 next = last.two_steps ? dvec4(beta) : dvec4(beta, last.omega, 0, 0);
    return {{"state", g.commit(state, {largest, drift, state.z, r})},
            {"rho", g.commit(rho, running ? dvec4(sums.x) : rho)},
            {"factors", g.commit(factors, running ? next : dvec4(0))},
            {"status", g.commit(before, status(stop, iterations, r))}};
}
Made control(const Given& g, ivec2 at) {
    const dvec4 sums = g.in("products"), sigma = g.in("sigma");
    return ended(g, at, {g.in("rho").x / sigma.x, sums.x / sums.y, bad(sums) || bad(sigma), false, g.in("shadow").x});
}
Made control_two(const Given& g, ivec2 at) {
    const dvec4 omegas = g.in("omegas");
    return ended(g, at, {omegas.z, -omegas.y, false, true, g.in("shadow").x});
}

Made restart(const Given& g, ivec2 at) {
    const dvec4 rr = g.in("rr", at);
    const double r = std::sqrt(rr.x);
    return {{"state", {r, half_ulp() * r, half_ulp() * r, r}},
            {"rho", rr},
            {"factors", dvec4(0)},
            {"status", status(Stop::running, 0, r)}};
}

Made half_two(const Given& g, ivec2 at) {
    const dvec4 y = g.in("y", at), r = g.in("r", at);
    return {{"y", g.commit(y, y + finite_alpha(g) * g.in("u", at))},
            {"r", g.commit(r, r - finite_alpha(g) * g.in("v", at))}};
}

Made beta_two(const Given& g, ivec2 at) {
    return {{"beta", finite_or_zero(quotient(g.in("rs", at), g.in("gamma", at)))}, {"rho", g.in("rs", at)}};
}

// u <- r - beta u,  r -= alpha v,  s -= alpha w
Made second_two(const Given& g, ivec2 at) {
    const dvec4 r = g.in("r", at);
    return {{"u", r - g.scalar("beta").x * g.in("u", at)},
            {"r", g.commit(r, r - finite_alpha(g) * g.in("v", at))},
            {"s", g.in("s", at) - finite_alpha(g) * g.in("w", at)}};
}

Made products_two(const Given& g, ivec2 at) {
    const dvec4 r = g.in("r", at), s = g.in("s", at), t = g.in("t", at);
    return {{"sum", {glm::dot(r, s), glm::dot(s, s), glm::dot(s, t), glm::dot(t, t)}}};
}

// The least |r - omega1 s - omega2 t|, by the normal equations
//     [mu nu; nu tau] (omega1, omega2) = ((r,s), (r,t)),      products = ((r,s), mu, nu, tau)
Made omegas_two(const Given& g, ivec2 at) {
    const dvec4 p = g.in("products", at);
    const double rs = p.x, mu = p.y, nu = p.z, tau = p.w, rt = g.in("rt", at).x;
    const double determinant = mu * tau - nu * nu;
    return {{"omegas", finite_or_zero({(rs * tau - nu * rt) / determinant, (mu * rt - nu * rs) / determinant,
                                       g.in("rho", at).x / g.in("gamma", at).x, 0})}};
}

// y += omega1 r + omega2 s + alpha u,  r -= omega1 s + omega2 t,  u -= omega1 v + omega2 w
Made update_two(const Given& g, ivec2 at) {
    const dvec4 omegas = g.scalar("omegas"), before = g.in("y", at), old_r = g.in("r", at), s = g.in("s", at);
    const dvec4 u = g.in("u", at);
    const dvec4 y = g.commit(before, before + omegas.x * old_r + omegas.y * s + omegas.z * u);
    const dvec4 r = g.commit(old_r, old_r - omegas.x * s - omegas.y * g.in("t", at));
    return {{"y", y},
            {"r", r},
            {"u", u - omegas.x * g.in("v", at) - omegas.y * g.in("w", at)},
            {"sum", sums_of(g.in("shadow", at), r, y)}};
}

}  // namespace

std::span<const Entry> formulas_of_bicgstab() {
    static constexpr Entry all[] = {
        {"bicgstab_direction", direction},
        {"bicgstab_direction_jacobi", direction},
        {"bicgstab_half", half},
        {"bicgstab_half_jacobi", half},
        {"bicgstab_products", products},
        {"bicgstab_update", update},
        {"bicgstab_control", control},
        {"bicgstab_restart", restart},
        {"bicgstab2_half", half_two},
        {"bicgstab2_beta", beta_two},
        {"bicgstab2_second", second_two},
        {"bicgstab2_products", products_two},
        {"bicgstab2_omegas", omegas_two},
        {"bicgstab2_update", update_two},
        {"bicgstab2_control", control_two},
    };
    return all;
}

}  // namespace glsolve::test::oracle
