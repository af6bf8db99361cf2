// Updates of vectors, and what is decided of runs on textures of the caller's.
#include <algorithm>
#include <cmath>

#include "support/oracle/oracle.hpp"

namespace glsolve::test::oracle {
namespace {

/// a v; a vector whose factor is zero counts as zeros, whatever it holds.
dvec4 term(dvec4 a, dvec4 v) { return glm::mix(a * v, dvec4(0), glm::equal(a, dvec4(0))); }

Made axpby(const Given& g, ivec2 at) {
    const dvec4 y = term(g.scalar("a"), g.in("x", at)) + term(g.scalar("b"), g.in("z", at));
    return {{"y", g.commit(g.in("z", at), y)}};
}

Made fill(const Given& g, ivec2 at) {
    const int first = 4 * ((at.y << g.integer("log2_width")) + at.x);
    dvec4 y(0);
    for (int i = 0; i < 4; ++i) y[i] = first + i < g.integer("length") ? g.constant("value") : 0;
    return {{"y", y}};
}

Made multiply(const Given& g, ivec2 at) { return {{"z", g.scalar("a") * (g.in("x", at) * g.in("y", at))}}; }

Made squares(const Given& g, ivec2 at) { return {{"sum", g.in("x", at) * g.in("x", at)}}; }

Made add_where(const Given& g, ivec2 at) {
    return {{"y", glm::mix(g.in("x", at) + g.scalar("a"), dvec4(0), glm::equal(g.in("m", at), dvec4(0)))}};
}

// y <- x / sqrt(square), or d * that
Made normalise(const Given& g, ivec2 at) {
    const double square = g.scalar("square").x;
    if (!(square > 0) || bad(square) || g.stopped) return {{"y", dvec4(0)}};
    const dvec4 y = g.in("x", at) / std::sqrt(square);
    return {{"y", g.has("d") ? g.in("d", at) * y : y}};
}

// The power of two above what makes |S r| of the wanted |r| the reference.
Made texture_gain(const Given& g, ivec2 at) {
    const double unit = g.in("unit", at).x, b = std::sqrt(g.in("squares", at).x) * unit,
                 r = std::sqrt(g.in("start", at).x), scaled = std::sqrt(g.in("start", at).y);
    const double wanted = std::max(g.constant("tolerance") * b, g.constant("absolute") * unit);
    const double gain = unit * (g.constant("reference") / wanted) * (r / scaled);
    if (unit == 0 || r <= wanted || !(wanted > 0) || !(gain > 0) || bad(gain)) return {{"gain", dvec4(0)}};
    return {{"gain", dvec4(std::exp2(std::floor(std::log2(gain)) + 1))}};
}

Made texture_mark(const Given& g, ivec2 at) {
    return {{"mark", dvec4(g.in("unit", at).x, g.constant("number"), g.in("taken", at).x, 0)}};
}

Made texture_verdict(const Given& g, ivec2 at) {
    const double b = std::sqrt(g.in("squares", at).x) * g.in("unit", at).x, start = std::sqrt(g.in("start", at).x),
                 end = std::sqrt(g.in("end", at).x);
    const bool fine = !bad(end) && !bad(b) && (end <= std::max(1000 * b, start) || bad(start));
    const bool too_small = g.in("squares", at).y < 0x1p-126 && g.in("squares", at).z > 0;
    return {{"refused", dvec4(fine && !too_small ? 0 : 1)}};
}

// Iterations without inner products, sums = ((r,r), (y,y), ..), state = (smallest |r|, first, rounding, last).
Made step_control(const Given& g, ivec2 at) {
    const dvec4 state = g.in("state", at), before = g.in("status", at), sums = g.in("sums", at);
    const double r = std::sqrt(sums.x), tolerated = g.constant("tolerated");
    const double smallest = before.y == 0 ? r : std::min(state.x, r), begin = state.y == 0 ? r : state.y;
    const double rounding = half_ulp() * (g.constant("norm") * std::sqrt(sums.y) + begin);
    const double iterations = before.y + g.integer("steps");
    const Stop stop = bad(sums)                           ? Stop::not_finite
                      : r <= g.constant("target")         ? Stop::target
                      : r > 100 * smallest                ? Stop::diverged
                      : rounding > tolerated * r          ? Stop::drifted
                      : tolerated < 1 && r < 1e-4 * begin ? Stop::reduced
                      : iterations >= g.integer("limit")  ? Stop::limit
                                                          : Stop::running;
    return {{"state", g.commit(state, {smallest, begin, rounding, r})},
            {"status", g.commit(before, status(stop, iterations, r))}};
}

}  // namespace

std::span<const Entry> formulas_of_vectors() {
    static constexpr Entry all[] = {
        {"axpby", axpby},
        {"fill", fill},
        {"multiply", multiply},
        {"squares", squares},
        {"add_where", add_where},
        {"texture_gain", texture_gain},
        {"normalise", normalise},
        {"normalise_jacobi", normalise},
        {"texture_mark", texture_mark},
        {"texture_verdict", texture_verdict},
        {"step_control", step_control},
    };
    return all;
}

}  // namespace glsolve::test::oracle
