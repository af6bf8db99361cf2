/// The diagonal of a matrix, in one of two forms.
#pragma once

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

/// Takes the second form where the row sums are, together, less than half of the diagonal.
DiagonalPart diagonal_part(const CsrMatrix& A, std::span<const double> scale);

}  // namespace glsolve::inline v0_1
