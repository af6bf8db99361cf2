// Passes in two floats. A double holds them: the high part is it in single precision, the low part the rest.
#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

dvec4 high(dvec4 v) { return dvec4(glm::vec4(v)); }
dvec4 low(dvec4 v) { return v - high(v); }

// y + y_low <- y + y_low + a x
Made moved(const Given& g, ivec2 at, dvec4 a) {
    const dvec4 y = g.in("y", at) + g.in("y_low", at) + a * g.in("x", at);
    return {{"y", g.commit(g.in("y", at), high(y))}, {"y_low", g.commit(g.in("y_low", at), low(y))}};
}
Made two_float_axpy(const Given& g, ivec2 at) { return moved(g, at, g.scalar("a")); }
Made cg_step(const Given& g, ivec2 at) { return moved(g, at, step_length(g.scalar("a"))); }
Made pipelined_step(const Given& g, ivec2 at) { return moved(g, at, step_length(dvec4(g.scalar("a").x))); }

// r + r_low -= alpha (q + q_low)
Made cg_update(const Given& g, ivec2 at) {
    const dvec4 q = g.in("q", at) + g.in("q_low", at);
    const dvec4 next = g.in("r", at) + g.in("r_low", at) - step_length(g.scalar("alpha")) * q;
    const dvec4 r = g.commit(g.in("r", at), high(next));
    const dvec4 z = g.has("d") ? g.in("d", at) * r : r;
    return {{"r", r},
            {"r_low", g.commit(g.in("r_low", at), low(next))},
            {"z", z},
            {"sum", {glm::dot(r, z), glm::dot(r, r), 0, 0}}};
}

// sum <- (|a w t|^2, |a t|^2, |s t - r|^2, 0)
Made residual_norms(const Given& g, ivec2 at) {
    const dvec4 t = g.scalar("a") * g.in("t", at), drift = g.constant("s") * g.in("t", at) - g.in("r", at);
    const dvec4 unscaled = g.integer("weights") != 0 ? g.in("w", at) * t : t;
    return {{"sum", {glm::dot(unscaled, unscaled), glm::dot(t, t), glm::dot(drift, drift), 0}}};
}

Made error_free(const Given& g, ivec2 at) {
    const dvec4 x = g.in("x", at), y = g.in("y", at), longer = x * y + x + y;
    return {{"s", high(x + y)}, {"e", low(x + y)}, {"p", high(longer)}, {"f", low(longer)}};
}

}  // namespace

std::span<const Entry> formulas_of_two_floats() {
    static constexpr Entry all[] = {
        {"two_float_axpy", two_float_axpy},
        {"cg_step_two_float", cg_step},
        {"pipelined_step_two_float", pipelined_step},
        {"cg_update_two_float", cg_update},
        {"cg_update_two_float_jacobi", cg_update},
        {"residual_norms", residual_norms},
        {"error_free", error_free},
    };
    return all;
}

}  // namespace glsolve::test::oracle
