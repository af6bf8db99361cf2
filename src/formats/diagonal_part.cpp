#include "formats/diagonal_part.hpp"

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

DiagonalPart diagonal_part(CsrView A, std::span<const double> scale) {
    const auto parts = parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
        SizesOfDiagonal sizes;
        for (Offset i = begin; i < end; ++i) sizes.add(row_on_diagonal(A, scale, i));
        return sizes;
    });
    SizesOfDiagonal all;
    for (const SizesOfDiagonal& each : parts) all.add(each);
    DiagonalPart part{.values = filled(static_cast<std::size_t>(A.rows), 0.0), .differences = all.differences()};
    parallel_rows(A, [&](std::size_t i) {
        const RowOnDiagonal row = row_on_diagonal(A, scale, static_cast<Offset>(i));
        part.values[i] = part.differences ? row.sum : row.own;
    });
    return part;
}

}  // namespace glsolve::inline v0_1
