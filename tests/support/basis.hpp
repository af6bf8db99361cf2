/// Bases that the host knows as well.
#pragma once

#include <vector>

#include "device/basis.hpp"
#include "device/verbs.hpp"
#include "support/harness.hpp"

namespace glsolve::test {

inline double dot(const std::vector<float>& x, const std::vector<float>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return sum;
}

/// So long are vectors of a basis that the first stage of its sums leaves more than the last one takes.
inline Offset length_in_three_stages(const Backend& backend) {
    const ReductionShape shape = backend.reduction_shape(Summed::bases);
    return Offset{4} * shape.tile.width * shape.tile.height * (shape.last + 100);
}

/// A basis of random vectors; each was stored with a factor of its own.
struct FilledBasis {
    Basis basis;
    std::vector<std::vector<float>> v;

    FilledBasis(Backend& backend, Offset n, int count) : basis(backend, layout_of(n), count, "V") {
        Vector x(backend, n, "x");
        Scalar square(backend, "square");
        for (int k = 0; k < count; ++k) {
            v.push_back(random_numbers(static_cast<std::size_t>(n), static_cast<std::uint32_t>(k + 1)));
            x.upload(v.back());
            const float root = static_cast<float>(1 << (k % 5));
            fill(square, root * root);
            basis.store(k, x, square, {});
            for (float& number : v.back()) number /= root;
        }
    }
};

}  // namespace glsolve::test
