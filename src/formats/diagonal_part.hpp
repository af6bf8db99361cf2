/// The diagonal of a matrix, in one of two forms.
#pragma once

#include <cmath>
#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Row i of A x is  sum over j != i of a_ij x_j + a_ii x_i,  or with the row's sum s_i = sum over all j of a_ij
///
///     sum over j != i of a_ij (x_j - x_i) + s_i x_i.
///
/// In single precision the second form is far more accurate where rows nearly sum to zero (grids, meshes, graphs) and x
/// is smooth: differences of neighbours are exact, while the terms of the first cancel (docs/precision.md has figures).
struct DiagonalPart {
    std::vector<double> values;  ///< a_ii or s_i of S A S, computed in double precision
    bool differences = false;    ///< the second form
};

/// What a row of S A S may have on the diagonal.
struct RowOnDiagonal {
    double own = 0, sum = 0;  ///< a_ii, s_i
    double size = 0;          ///< sum over j of |a_ij|
};
inline RowOnDiagonal row_on_diagonal(CsrView A, std::span<const double> scale, Offset i) {
    RowOnDiagonal row;
    for (const auto [j, a] : A.row(i)) {
        const double value = scale[static_cast<std::size_t>(i)] * a * scale[static_cast<std::size_t>(j)];
        row.sum += value;
        row.size += std::abs(value);
        if (j == i) row.own = value;
    }
    return row;
}

/// Of several rows, by which the form is chosen: the second one where the row sums are, together, less than half of the
/// diagonal.
struct SizesOfDiagonal {
    double own = 0, sum = 0;

    void add(const RowOnDiagonal& row, double times = 1) {
        own += times * std::abs(row.own);
        sum += times * std::abs(row.sum);
    }
    void add(const SizesOfDiagonal& rows) {
        own += rows.own;
        sum += rows.sum;
    }
    bool differences() const { return sum < own / 2; }
};

DiagonalPart diagonal_part(CsrView A, std::span<const double> scale);

}  // namespace glsolve::inline v0_1
