// The reference of the passes of GMRES. See shaders/pass/gmres_*.glsl; what `state` holds: src/solvers/gmres.cpp.
#include <cmath>
#include <vector>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

constexpr float complete = 1e-12f;  // |w|^2 / |A v|^2 below which w is rounding

/// Element i of a column of four numbers a texel.
float element(const In& in, int column, int i) { return in(ivec2(column, i >> 2))[i & 3]; }

/// column[i], as far as the texel holds it.
vec4 texel_of(const std::vector<float>& column, int row) {
    const auto at = static_cast<std::size_t>(row) * 4;
    return {column[at], column[at + 1], column[at + 2], column[at + 3]};
}

template <bool raw>
void column(const Pass& pass) {
    const In state = pass.in(0);
    const int restart = pass.integer(0), j = pass.integer(1);
    std::vector<float> h(static_cast<std::size_t>(state.height()) * 4, 0.0f);
    for (int i = 0; i <= j; ++i) h[static_cast<std::size_t>(i)] = element(pass.in(1), pass.integer(2), i);
    float& h_j = h[static_cast<std::size_t>(j)];
    float& below = h[static_cast<std::size_t>(j) + 1];
    below = std::sqrt(pass.in(2)(ivec2(0)).x);
    float c = 0, s = 1, g_j = 0, g_next = 0;
    if constexpr (!raw) {
        for (int i = 0; i < j; ++i) {
            float& top = h[static_cast<std::size_t>(i)];
            float& next = h[static_cast<std::size_t>(i) + 1];
            const float c_i = element(state, restart + 1, i), s_i = element(state, restart + 2, i), t = top;
            top = c_i * t + s_i * next;
            next = c_i * next - s_i * t;
        }
        const float rho = std::hypot(h_j, below);
        if (rho > 0) {
            c = h_j / rho;
            s = below / rho;
        }
        h_j = rho;
        below = 0;
        const float g = element(state, restart, j);
        g_j = c * g;
        g_next = -s * g;
    }
    pass.each([&](ivec2 at) {
        vec4 new_state = state(at);
        const auto put = [&](int i, float value) {
            if (i >> 2 == at.y) new_state[i & 3] = value;
        };
        if (at.x == j) new_state = texel_of(h, at.y);
        if constexpr (!raw) {
            if (at.x == restart) {
                put(j, g_j);
                put(j + 1, g_next);
            }
            if (at.x == restart + 1) put(j, c);
            if (at.x == restart + 2) put(j, s);
        }
        pass.out(0)(at) = pass.commit(state(at), new_state);
    });
}

template <bool raw>
void status_of(const Pass& pass) {
    const vec4 status = pass.in(0)(ivec2(0));
    const In state = pass.in(1);
    const float square = pass.in(2)(ivec2(0)).x;
    const int restart = pass.integer(0), j = pass.integer(1), limit = pass.integer(2);
    float size = 0;
    bool bad = !std::isfinite(square);
    for (int row = 0; row <= (j + 1) >> 2; ++row) {
        const vec4 four = state(ivec2(j, row));
        size += glm::dot(four, four);
        bad = bad || is_bad(four);
    }
    const float residual = raw ? status.w : std::abs(element(state, restart, j + 1));
    bad = bad || !std::isfinite(residual);
    Stop stop = Stop::running;
    if (bad) {
        stop = Stop::not_finite;
    } else if (!raw && residual <= pass.constant(0)) {
        stop = Stop::target;
    } else if (square <= complete * size) {
        stop = Stop::complete;
    } else if (j + 1 >= limit) {
        stop = Stop::limit;
    }
    pass.out(0)(ivec2(0)) =
        pass.commit(status, vec4(static_cast<float>(stop), status.y + (bad ? 0.0f : 1.0f), residual, residual));
}

}  // namespace

void gmres_restart(const Pass& pass) {
    const float beta = std::sqrt(pass.in(0)(ivec2(0)).x), before = pass.in(1)(ivec2(0)).y;
    const int restart = pass.integer(0);
    pass.each([&](ivec2 at) {
        float first = 0;
        if (at == ivec2(restart, 0)) first = beta;
        if (at == ivec2(restart + 3, 0)) first = before;
        pass.out(0)(at) = vec4(first, 0.0f, 0.0f, 0.0f);
    });
}

void gmres_column(const Pass& pass) { column<false>(pass); }
void gmres_column_raw(const Pass& pass) { column<true>(pass); }
void gmres_status(const Pass& pass) { status_of<false>(pass); }
void gmres_status_raw(const Pass& pass) { status_of<true>(pass); }

void gmres_solve(const Pass& pass) {
    const In state = pass.in(0);
    const int restart = pass.integer(0);
    const int steps = static_cast<int>(pass.in(1)(ivec2(0)).y - state(ivec2(restart + 3, 0)).x);
    std::vector<float> y(static_cast<std::size_t>(pass.domain.height) * 4, 0.0f);
    for (int j = steps - 1; j >= 0; --j) {
        float sum = element(state, restart, j);
        for (int k = j + 1; k < steps; ++k) sum -= element(state, k, j) * y[static_cast<std::size_t>(k)];
        const float pivot = element(state, j, j);
        y[static_cast<std::size_t>(j)] = pivot != 0 ? sum / pivot : 0.0f;
    }
    pass.each([&](ivec2 at) { pass.out(0)(at) = texel_of(y, at.y); });
}

}  // namespace glsolve::inline v0_1::host
