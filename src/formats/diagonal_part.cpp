#include "formats/diagonal_part.hpp"

#include <cmath>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

DiagonalPart diagonal_part(const CsrMatrix& A, std::span<const double> scale) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> diagonal = filled(n, 0.0), sums = filled(n, 0.0);
    parallel_rows(A, [&](std::size_t i) {
        for (const auto [j, a] : A.row(i)) {
            const double value = scale[i] * a * scale[j];
            sums[i] += value;
            if (j == static_cast<Index>(i)) diagonal[i] = value;
        }
    });
    const auto size = [&](const std::vector<double>& v) {
        return parallel_sum(n, [&](std::size_t i) { return std::abs(v[i]); });
    };
    DiagonalPart part;
    part.differences = size(sums) < size(diagonal) / 2;
    part.values = part.differences ? std::move(sums) : std::move(diagonal);
    return part;
}

}  // namespace glsolve::inline v0_1
