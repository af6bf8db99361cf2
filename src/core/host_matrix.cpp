#include "core/host_matrix.hpp"

#include <cmath>

namespace glsolve::inline v0_1 {

void HostCsr::multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum, double* size) const {
    for (std::size_t i = begin; i < end; ++i) {
        double row = 0, absolute = 0;
        for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const double term = A_.value[e] * x[static_cast<std::size_t>(A_.column[e])];
            row += term;
            absolute += std::abs(term);
        }
        sum[i - begin] = row;
        size[i - begin] = absolute;
    }
}

}  // namespace glsolve::inline v0_1
