// The reference of the passes of Arnoldi's process, each vector orthogonalised for the second time together with the
// next one's first. See shaders/pass/arnoldi_*.glsl.
#include <cmath>
#include <vector>

#include "host/basis_layers.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// Element i of a column of four numbers a texel.
float element(const In& in, int column, int i) { return in(ivec2(column, i >> 2))[i & 3]; }

template <bool flexible>
void column(const Pass& pass) {
    const In h = pass.in(0), s = pass.in(1), t = pass.in(2);
    const vec4 step = pass.in(3)(ivec2(0));
    const int k = pass.integer(0);
    const auto completed = [&](int i, int row) {
        if (i < k - 1) return element(h, i, row);
        return row < k ? element(h, i, row) + element(s, 0, row) : row == k ? step.w : 0.0f;
    };
    const auto begun = [&](int row) {
        float sum = row < k ? element(t, 0, row) : row == k ? step.z : 0.0f;
        for (int i = 0; !flexible && i < k; ++i) sum -= element(s, 0, i) * completed(i, row);
        return sum * step.y;
    };
    pass.each([&](ivec2 at) {
        vec4 four = h(at);
        for (int i = 0; i < 4; ++i) {
            if (at.x == k - 1) four[i] = completed(k - 1, 4 * at.y + i);
            if (at.x == k) four[i] = begun(4 * at.y + i);
        }
        pass.out(0)(at) = pass.commit(h(at), four);
    });
}

template <bool jacobi>
void update(const Pass& pass) {
    const Layers layers{pass.integer(0), pass.integer(1), pass.integer(2), 0, pass.integer(3)};
    const vec4 step = pass.in(3)(ivec2(0));
    const bool there = step.y > 0 && !glm::any(pass.stopped);
    pass.each([&](ivec2 at) {
        const vec4 v = (pass.in(4)(at)-linear_combination(pass.in(0), pass.in(1), layers, at)) * step.y;
        const vec4 w = ((pass.in(5)(at)-linear_combination(pass.in(0), pass.in(2), layers, at)) - step.z * v) * step.y;
        pass.out(0)(at) = there ? v : vec4(0.0f);
        pass.out(1)(at) = there ? w : vec4(0.0f);
        if constexpr (jacobi) pass.out(2)(at) = there ? pass.in(6)(at)*w : vec4(0.0f);
    });
}

}  // namespace

// step <- (nu^2, 1 / nu, tau, nu)
void arnoldi_step(const Pass& pass) {
    const int k = pass.integer(0);
    const In s = pass.in(0), t = pass.in(1);
    float ss = 0, st = 0;
    for (int i = 0; i < k; ++i) {
        ss += element(s, 0, i) * element(s, 0, i);
        st += element(s, 0, i) * element(t, 0, i);
    }
    const float square = element(s, 0, k) - ss, nu = std::sqrt(std::max(square, 0.0f));
    const float inverse = finite_or_zero(quotient(vec4(1.0f), vec4(nu))).x;
    pass.out(0)(ivec2(0)) = vec4(square, inverse, (element(t, 0, k) - st) * inverse, nu);
}

void arnoldi_column(const Pass& pass) { column<false>(pass); }
void arnoldi_column_flexible(const Pass& pass) { column<true>(pass); }
void arnoldi_update(const Pass& pass) { update<false>(pass); }
void arnoldi_update_jacobi(const Pass& pass) { update<true>(pass); }

}  // namespace glsolve::inline v0_1::host
