// Pipelined conjugate gradients: T. Chen and E. Carson, SIAM J. Sci. Comput. 42 (2020).
#include <algorithm>
#include <cmath>

#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

/// x + a v; a step of no length takes nothing, whatever v holds.
dvec4 moved(const Given& g, dvec4 x, double a, dvec4 v) { return g.commit(x, a == 0 ? x : x + a * v); }

// p <- z + beta p, where z is r, d * r, or moved by itself: z -= alpha u.
void add_direction(Made& made, const Given& g, ivec2 at, dvec4 r) {
    const double alpha = g.scalar("step").x, beta = g.scalar("step").y;
    dvec4 z = g.has("d") ? g.in("d", at) * r : r;
    if (g.has("z")) z = made["z"] = moved(g, g.in("z", at), -alpha, g.in("u", at));
    const dvec4 p = g.in("p", at);
    made["p"] = g.commit(p, beta == 0 ? z : z + beta * p);
}

Made update(const Given& g, ivec2 at) {
    const double alpha = g.scalar("step").x;
    Made made{{"y", moved(g, g.in("y", at), alpha, g.in("p", at))},
              {"r", moved(g, g.in("r", at), -alpha, g.in("s", at))}};
    add_direction(made, g, at, made["r"]);
    return made;
}

Made update_two_float(const Given& g, ivec2 at) {
    const double alpha = g.scalar("step").x;
    const dvec4 before = g.in("r", at) + g.in("r_low", at), s = g.in("s", at) + g.in("s_low", at);
    const dvec4 next = alpha == 0 ? before : before - alpha * s, high(glm::vec4{next});
    Made made{{"r", g.commit(g.in("r", at), high)}, {"r_low", g.commit(g.in("r_low", at), next - high)}};
    add_direction(made, g, at, made["r"]);
    return made;
}

// sum <- ((r,z), (p,s), (u,s), (z,s))
Made dots(const Given& g, ivec2 at) {
    const dvec4 r = g.in("r", at), s = g.in("s", at), d = g.has("d") ? g.in("d", at) : dvec4(1);
    const dvec4 z = g.has("z") ? g.in("z", at) : d * r, u = g.has("u") ? g.in("u", at) : d * s;
    return {{"sum", {glm::dot(r, z), glm::dot(g.in("p", at), s), glm::dot(u, s), glm::dot(z, s)}}};
}

// sums = (nu, mu, gamma, delta), step = (alpha, beta, nu, 0), lengths = (|p|^2, (y,p), |y|^2, 0)
Made control(const Given& g, ivec2 at) {
    const dvec4 state = g.in("state", at), step = g.in("step", at), lengths = g.in("lengths", at);
    const dvec4 before = g.in("status", at), sums = g.in("sums", at);
    const double nu = sums.x, mu = sums.y, tolerated = g.constant("tolerated");
    const double yy = lengths.z + 2 * step.x * lengths.y + step.x * step.x * lengths.x;
    const double yp = step.y * (lengths.y + step.x * lengths.x), pp = nu + step.y * step.y * lengths.x;
    const double r = state.w * std::sqrt(std::abs(nu)), largest = std::max(state.x, r);
    const double drift = state.y + half_ulp() * (g.constant("norm") * std::sqrt(std::max(yy, 0.0)) + r);
    const double alpha = nu / mu, wanted = (alpha * sums.z - sums.w) / mu;
    const double beta = wanted > 0x1p-21 && !bad(wanted) ? wanted : 0;  // less is a difference of ones
    const Stop stop = bad(sums)                                        ? Stop::not_finite
                      : r <= g.constant("target")                      ? Stop::target
                      : !(mu > 0) || !(nu > 0) || bad(alpha)           ? Stop::indefinite
                      : tolerated < 1 && r < 0.1 * largest             ? Stop::reduced
                      : drift > tolerated * r && drift > 1.1 * state.z ? Stop::drifted
                      : before.y + 1 >= g.integer("limit")             ? Stop::limit
                                                                       : Stop::running;
    const bool fresh = stop != Stop::not_finite, running = stop == Stop::running;
    const double iterations = fresh ? before.y + 1 : std::max(before.y, 0.0);
    return {{"state", g.commit(state, fresh ? dvec4(largest, drift, state.z, state.w) : state)},
            {"step", g.commit(step, {running ? alpha : 0, running ? beta : 0, fresh ? nu : step.z, 0})},
            {"lengths", g.commit(lengths, fresh ? dvec4(pp, yp, yy, 0) : lengths)},
            {"status", g.commit(before, status(stop, iterations, r, fresh ? r : before.w))}};
}

// After a correction a step of no length comes first.
Made restart(const Given& g, ivec2 at) {
    const double before = g.in("step", at).z, nu = g.in("rz", at).x, r = std::sqrt(g.in("rr", at).x);
    const double keep = g.constant("keep"), wanted = keep * nu / (g.constant("rescale") * before);
    const double beta = bad(wanted) || keep == 0 ? 0 : wanted;
    const double pp = beta == 0 ? 0 : std::max(g.in("lengths", at).x - before, 0.0);
    return {{"state", {r, 0, half_ulp() * r, quotient(dvec4(r), dvec4(std::sqrt(std::abs(nu)))).x}},
            {"step", {0, beta, nu, 0}},
            {"lengths", {pp, 0, 0, 0}},
            {"status", status(Stop::running, -1, r, r)}};
}

}  // namespace

std::span<const Entry> formulas_of_pipelined_cg() {
    static constexpr Entry all[] = {
        {"pipelined_update", update},
        {"pipelined_update_jacobi", update},
        {"pipelined_update_preconditioned", update},
        {"pipelined_update_two_float", update_two_float},
        {"pipelined_update_two_float_jacobi", update_two_float},
        {"pipelined_update_two_float_preconditioned", update_two_float},
        {"pipelined_dots", dots},
        {"pipelined_dots_jacobi", dots},
        {"pipelined_dots_preconditioned", dots},
        {"pipelined_control", control},
        {"pipelined_restart", restart},
    };
    return all;
}

}  // namespace glsolve::test::oracle
