/// What a matrix is like, as far as its entries tell without solving anything.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// Rows with `shortest` to `longest` nonzeros.
struct RowLengths {
    Offset shortest = 0, longest = 0;
    Index rows = 0;
};

struct Analysis {
    Index rows = 0, columns = 0;
    Offset nonzeros = 0;

    // Lengths of rows: nonzeros stored in each.
    Offset shortest_row = 0, longest_row = 0;
    double mean_row = 0;
    Index empty_rows = 0;
    std::vector<RowLengths> histogram;  ///< at most ten bins, from the shortest row to the longest

    // Where the entries stand. The distance of an entry from the main diagonal is column - row.
    Index lower_bandwidth = 0, upper_bandwidth = 0;  ///< largest distance to the left and to the right
    Index diagonals = 0;                             ///< different distances that occur

    // Symmetry; only square matrices have it.
    bool square = false;
    bool structurally_symmetric = false;
    double asymmetry = 0;  ///< max |a_ij - a_ji| / max |a_ij|

    // The main diagonal.
    Index zero_diagonal = 0;      ///< rows where it is 0 or not stored
    Index negative_diagonal = 0;  ///< rows where it is below 0
    Index dominant_rows = 0;      ///< rows with |a_ii| >= sum over j != i of |a_ij|, but for rounding
    double least_dominance = 0;   ///< the least |a_ii| / sum over j != i of |a_ij|; infinite for a diagonal matrix

    // Sizes of entries, before and after the symmetric scaling by powers of two that solvers apply.
    double smallest = 0, largest = 0;                ///< of |a_ij|, zeros left out
    double smallest_scaled = 0, largest_scaled = 0;  ///< of |s_i a_ij s_j|
};

GLSOLVE_API Analysis analyze(const CsrMatrix& A);

/// How many entries fall into each cell of a picture of the matrix, `height` x `width` cells, row after row from above.
/// Neither may be larger than the matrix, or there are cells that nothing falls into.
GLSOLVE_API std::vector<std::uint32_t> density(const CsrMatrix& A, int height, int width);

}  // namespace glsolve::inline v0_1
