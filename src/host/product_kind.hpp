/// What the reference's products are made into: the variants of shaders/product.glsl.
#pragma once

#include "host/chaotic.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

enum class Kind {
    multiply,
    multiply_dot,
    residual,
    multiply_two_float,
    residual_two_float,
    relax,
    relax_twice,
    chebyshev,
    chebyshev_norms,
    multiply_dots,
    field,  // y <- A x for four right-hand sides, sum <- x * y
    chebyshev_chaotic,
    relax_field,  // relax and relax_twice for four right-hand sides
    relax_twice_field
};

constexpr bool in_two_floats(Kind kind) { return kind == Kind::multiply_two_float || kind == Kind::residual_two_float; }
constexpr bool is_field(Kind kind) {
    return kind == Kind::field || kind == Kind::relax_field || kind == Kind::relax_twice_field;
}
constexpr bool is_twice(Kind kind) { return kind == Kind::relax_twice || kind == Kind::relax_twice_field; }
constexpr bool is_relax(Kind kind) { return kind == Kind::relax || kind == Kind::relax_field; }
constexpr bool is_residual(Kind kind) { return kind == Kind::residual || kind == Kind::residual_two_float; }
constexpr bool is_step(Kind kind) {
    return is_relax(kind) || is_twice(kind) || kind == Kind::chebyshev || kind == Kind::chebyshev_norms
           || kind == Kind::chebyshev_chaotic;
}

/// What d, the last input, has for the four numbers at a place: four of its own, or, of a Field, one for all of them.
template <Kind kind>
vec4 d_at(const Pass& pass, ivec2 at) {
    const PassRow& of = row(pass.call.pass);
    const In d = pass.in(static_cast<int>(of.inputs.size()) - 1);
    if constexpr (!is_field(kind)) return d(at);
    const int log2_width = pass.integer(0), log2_field = pass.integer(static_cast<int>(of.integers.size()) - 1);
    return vec4(Numbers(d, log2_width)[(at.y << log2_field) + at.x]);
}

/// d * x; x where there is no d: then x stands in its place.
template <Kind kind>
vec4 scaled_x(const Pass& pass, ivec2 at) {
    const std::size_t d = row(pass.call.pass).inputs.size() - 1;
    const vec4 x = pass.in(0)(at);
    return pass.inputs[d] != pass.inputs[0] ? d_at<kind>(pass, at) * x : x;
}

// With r = b - A x and z = d * r (z = r where there is no d: then b stands in its place):
//   relax: y <- x + weight z;  twice: y <- share x - weight d * (A x), where x is d * b;  chebyshev: p <- z + beta p,
//   y <- x + alpha p;  norms: sum <- (r.r, x.x, 0, 0)
// `step`: which of the steps of a chaotic pass.
template <Kind kind>
void store_step(const Pass& pass, ivec2 at, vec4 x, vec4 product, int step = 0) {
    const int d = static_cast<int>(row(pass.call.pass).inputs.size()) - 1;
    if constexpr (is_twice(kind)) {
        const bool has_d = pass.inputs[static_cast<std::size_t>(d)] != pass.inputs[0];
        pass.out(0)(at) = pass.constant(0) * x - pass.constant(1) * (has_d ? d_at<kind>(pass, at) * product : product);
        return;
    }
    constexpr bool chebyshev = !is_relax(kind);
    const int b = chebyshev ? d - 2 : d - 1;
    const vec4 r = pass.in(b)(at)-product;
    const vec4 z = pass.inputs[static_cast<std::size_t>(d)] != pass.inputs[static_cast<std::size_t>(b)]
                       ? d_at<kind>(pass, at) * r
                       : r;
    if constexpr (kind == Kind::chebyshev_chaotic) {
        const auto [alpha, beta] = alpha_beta(pass, step);
        vec4& p = pass.out(1)(at);  // nobody else's
        p = pass.commit(p, z + beta * p);
        store_shared(written_in(pass, step), at, pass.commit(x, x + alpha * p));
    } else if constexpr (chebyshev) {
        vec4 p = pass.in(d - 1)(at);
        p = pass.commit(p, z + pass.constant(1) * p);
        pass.out(1)(at) = p;
        pass.out(0)(at) = pass.commit(x, x + pass.constant(0) * p);
    } else {
        pass.out(0)(at) = pass.commit(x, x + pass.constant(0) * z);
    }
    if constexpr (kind == Kind::chebyshev_norms) pass.out(2)(at) = vec4(glm::dot(r, r), glm::dot(x, x), 0.0f, 0.0f);
}

// y and sum <- (r.z, x.y, u.y, z.y) with z = d * r, u = d * y (no d: r stands in its place)
inline void store_dots(const Pass& pass, ivec2 at, vec4 x, vec4 y) {
    const std::size_t d = row(pass.call.pass).inputs.size() - 1;
    const vec4 r = pass.in(static_cast<int>(d) - 1)(at),
               factor = pass.inputs[d] != pass.inputs[d - 1] ? pass.in(static_cast<int>(d))(at) : vec4(1.0f);
    const vec4 z = factor * r, u = factor * y;
    pass.out(0)(at) = y;
    pass.out(1)(at) = vec4(glm::dot(r, z), glm::dot(x, y), glm::dot(u, y), glm::dot(z, y));
}

}  // namespace glsolve::inline v0_1::host
