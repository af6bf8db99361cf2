#include "formats/diagonal_part.hpp"

#include <cmath>
#include <utility>

namespace glsolve::inline v0_1 {

DiagonalPart diagonal_part(const CsrMatrix& A, std::span<const double> scale) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> diagonal(n, 0.0), sums(n, 0.0);
    double size_of_diagonal = 0, size_of_sums = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto j = static_cast<std::size_t>(A.column[e]);
            const double value = scale[i] * A.value[e] * scale[j];
            sums[i] += value;
            if (i == j) diagonal[i] = value;
        }
        size_of_diagonal += std::abs(diagonal[i]);
        size_of_sums += std::abs(sums[i]);
    }
    DiagonalPart part;
    part.differences = size_of_sums < size_of_diagonal / 2;
    part.values = part.differences ? std::move(sums) : std::move(diagonal);
    return part;
}

}  // namespace glsolve::inline v0_1
