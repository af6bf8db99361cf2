/// All that a matrix on a device can end its product in, against double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "device/assembled_matrix.hpp"
#include "device/verbs.hpp"
#include "support/harness.hpp"

namespace glsolve::test {

inline void poison(Vector& v) {
    v.backend().upload(v.id(), Texels(static_cast<std::size_t>(v.layout().extent().texels()) * 4, -3e9f));
}

inline double worst(const Texels& mine, const std::vector<double>& exact) {
    double worst = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const double e = i < exact.size() ? exact[i] : 0;  // padding is zero
        worst = std::max(worst, std::abs(static_cast<double>(mine[i]) - e) / std::max(1.0, std::abs(e)));
    }
    return worst;
}

inline float total(PartialSums& partial, int component = -1) {
    Scalar s(partial.backend(), "s");
    sum(s, partial, component < 0 ? Finish::add_components : Finish::keep_components);
    Texels texel(4);
    partial.backend().read(s.id(), texel);
    return texel[static_cast<std::size_t>(std::max(component, 0))];
}

/// x, b and the direction of a step.
struct ProductNumbers {
    std::vector<float> x, b, p;
};

/// `reciprocal`: 1 / diagonal of A, zero where that is. In a session.
void check_products(Backend& backend, AssembledMatrix& op, CsrView A, const Vector* reciprocal,
                    const ProductNumbers& numbers, double two_float_error = 1e-11);

}  // namespace glsolve::test
