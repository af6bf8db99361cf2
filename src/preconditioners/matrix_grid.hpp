/// The grid behind a matrix: from entries to couplings between neighbouring cells, on the host.
///
/// A matrix is that of a grid where its unknowns are the cells of a line, a rectangle or a box, x fastest, and
///     (A x)_i = a_i x_i + sum over the neighbours j of c_ij (x_i - x_j),  a_i >= 0, c_ij = c_ji >= 0:
/// 5-point in the plane, 7-point in space, with entries -c_ij beside the diagonal and rows that sum to a_i.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

#include "grid/grid_operator.hpp"

namespace glsolve::inline v0_1 {

struct MatrixGrid {
    GridCells cells;
    std::array<float, 3> weight{1, 1, 1};  ///< of each axis: its couplings beside the strongest of a cell, on average
    GridNumbers numbers;
    /// Of rows with nothing beside the diagonal, row by row, 1 / a_i, and 0 of all others; empty where there are no
    /// such rows. They are no cells: a coarser grid would take what they add to the diagonal for that of their
    /// neighbours.
    std::vector<float> alone;
};

/// Of `factor` times A, which must be square. Throws InvalidInput that says why A is not the matrix of a grid, and what
/// takes it: no sizes that fit, an entry elsewhere than beside the diagonal or above zero, not symmetric, a row with a
/// sum below zero or of zeros; or why single precision cannot hold it.
MatrixGrid grid_of(CsrView A, double factor);

}  // namespace glsolve::inline v0_1
