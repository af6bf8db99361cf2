// Conjugate gradients, for one right-hand side and, a texel for each, for four.
#include <algorithm>
#include <cmath>

#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

// y += alpha p, r -= alpha q, z <- d * r
Made update(const Given& g, ivec2 at) {
    const dvec4 alpha = step_length(g.scalar("alpha"));
    const dvec4 y = g.commit(g.in("y", at), g.in("y", at) + alpha * g.in("p", at));
    const dvec4 r = g.commit(g.in("r", at), g.in("r", at) - alpha * g.in("q", at));
    const dvec4 z = g.has("d") ? g.in("d", at) * r : r;
    return {{"y", y}, {"r", r}, {"z", z}, {"sum", {glm::dot(r, z), glm::dot(r, r), glm::dot(y, y), 0}}};
}

/// One right-hand side's share of an iteration that ends.
struct Own {
    double rz, rr, yy, pi, target;
    bool is_over, stopped;
};

// state = (largest |r|, drift, drift at the last correction, |r| or the target)
Made ended(const Given& g, ivec2 at, const Own& own, bool four) {
    const dvec4 state = g.in("state", at), rho = g.in("rho", at), beta = g.in("beta", at), before = g.in("status", at);
    const double r = std::sqrt(own.rr), largest = std::max(state.x, r), tolerated = g.constant("tolerated");
    const double drift = state.y + half_ulp() * (g.constant("norm") * std::sqrt(own.yy) + r);
    const Stop stop = bad(dvec4(own.rz, own.rr, own.yy, own.pi))       ? Stop::not_finite
                      : !(own.pi > 0) || bad(rho.x / own.pi)           ? Stop::indefinite
                      : r <= own.target                                ? Stop::target
                      : tolerated < 1 && r < 0.1 * largest             ? Stop::reduced
                      : drift > tolerated * r && drift > 1.1 * state.z ? Stop::drifted
                      : own.is_over                                    ? Stop::limit
                                                                       : Stop::running;
    const bool fresh = stop != Stop::not_finite && stop != Stop::indefinite;
    const bool later = !four && g.integer("rz_later") != 0, goes_on = stop == Stop::running && !later;
    const auto commit = [&](dvec4 old, dvec4 made) { return own.stopped ? old : made; };
    const dvec4 next_beta = goes_on ? quotient(dvec4(own.rz), rho) : later ? beta : dvec4(0);
    return {{"state", commit(state, fresh ? dvec4(largest, drift, state.z, four ? own.target : r) : state)},
            {"rho", commit(rho, goes_on ? dvec4(own.rz) : rho)},
            {"beta", commit(beta, next_beta)},
            {"status", commit(before, status(stop, fresh ? before.y + 1 : before.y, r))}};
}

Made control(const Given& g, ivec2 at) {
    const dvec4 sums = g.in("sums", at);
    const bool is_over = g.in("status", at).y + 1 >= g.integer("limit");
    return ended(g, at, {sums.x, sums.y, sums.z, g.in("pi", at).x, g.constant("target"), is_over, g.stopped}, false);
}

// Who still runs waits no longer for others than they have run.
Made control_field(const Given& g, ivec2 at) {
    const double iterations = g.in("status", at).y + 1;
    double first = iterations;
    for (int k = 0; k < 4; ++k) {
        const dvec4 other = g.in("status", {k, 0});
        const auto stop = static_cast<Stop>(static_cast<int>(other.x));
        if (stop != Stop::running && stop != Stop::absent) first = std::min(first, other.y);
    }
    const bool is_over = iterations >= g.integer("limit") || (g.constant("tolerated") < 1 && iterations > 2 * first);
    const auto of = [&](const char* name) { return g.in(name)[at.x]; };
    return ended(
        g, at, {of("rz"), of("rr"), of("yy"), of("pi"), g.in("state", at).w, is_over, g.in("status", at).x != 0}, true);
}

// After a correction r is the true residual again, scaled anew.
Made restarted(const Given& g, ivec2 at, dvec4 rz, double rr, double rescale, double keep, double stop, double last) {
    const double r = std::sqrt(rr);
    const dvec4 beta = quotient(rz, g.in("rho", at) * rescale);
    return {{"state", {r, half_ulp() * r, half_ulp() * r, last}},
            {"rho", rz},
            {"beta", bad(beta) ? dvec4(0) : keep * beta},
            {"status", {stop, 0, r, 0}}};
}
Made restart(const Given& g, ivec2 at) {
    const double rr = g.in("rr", at).x;
    return restarted(g, at, g.in("rz", at), rr, g.constant("rescale"), g.constant("keep"), 0, std::sqrt(rr));
}
Made restart_field(const Given& g, ivec2 at) {
    const dvec4 plan = g.in("plan", at);
    return restarted(g, at, dvec4(g.in("rz")[at.x]), g.in("rr")[at.x], plan.x, plan.y, plan.w, plan.z);
}

Made direction(const Given& g, ivec2 at) {
    const dvec4 rho = g.in("rho", at), rz = g.in("rz", at);
    return {{"rho", g.commit(rho, rz)}, {"beta", g.commit(g.in("beta", at), quotient(rz, rho))}};
}

// What four texels say, side by side; the run goes on as long as one of them does.
Made gather(const Given& g, ivec2) {
    dvec4 rho, beta, stops;
    double iterations = 0, r = 0;
    Stop stop = Stop::limit;
    for (int k = 0; k < 4; ++k) {
        const dvec4 own = g.in("statuses", {k, 0});
        rho[k] = g.in("rhos", {k, 0}).x;
        beta[k] = g.in("betas", {k, 0}).x;
        stops[k] = own.x;
        iterations = std::max(iterations, own.y);
        if (own.x != 0) continue;
        stop = Stop::running;
        r = std::max(r, own.z);
    }
    return {
        {"rho", rho}, {"beta", beta}, {"stops", stops}, {"status", status(stop, iterations, r, g.in("statuses").z)}};
}

}  // namespace

std::span<const Entry> formulas_of_cg() {
    static constexpr Entry all[] = {
        {"cg_update", update},       {"cg_update_jacobi", update},
        {"cg_control", control},     {"cg_control_field", control_field},
        {"cg_restart", restart},     {"cg_restart_field", restart_field},
        {"cg_direction", direction}, {"cg_gather", gather},
    };
    return all;
}

}  // namespace glsolve::test::oracle
