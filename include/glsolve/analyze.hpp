/// Properties of a matrix that follow from its entries, without solving a system.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// The number of rows that have `shortest` to `longest` nonzeros.
struct RowLengths {
    Offset shortest = 0, longest = 0;
    Index rows = 0;
};

struct Analysis {
    Index rows = 0, columns = 0;
    Offset nonzeros = 0;

    // Row lengths: stored nonzeros per row.
    Offset shortest_row = 0, longest_row = 0;
    double mean_row = 0;
    Index empty_rows = 0;
    std::vector<RowLengths> histogram;  ///< at most ten bins, from the shortest row to the longest

    // Positions of entries. The distance of an entry from the main diagonal is column - row.
    Index lower_bandwidth = 0, upper_bandwidth = 0;  ///< largest distance to the left and to the right
    Index diagonals = 0;                             ///< number of different distances that occur

    // Symmetry. Only square matrices can be symmetric.
    bool square = false;
    bool structurally_symmetric = false;
    double asymmetry = 0;  ///< max |a_ij - a_ji| / max |a_ij|

    // The main diagonal.
    Index zero_diagonal = 0;      ///< rows whose diagonal entry is 0 or not stored
    Index negative_diagonal = 0;  ///< rows whose diagonal entry is negative
    Index dominant_rows = 0;      ///< rows with |a_ii| >= sum over j != i of |a_ij|, up to rounding
    double least_dominance = 0;   ///< smallest |a_ii| / sum over j != i of |a_ij|; infinite for a diagonal matrix

    // Magnitudes of entries, before and after the symmetric scaling by powers of two that solvers apply.
    double smallest = 0, largest = 0;                ///< of |a_ij|, without zeros
    double smallest_scaled = 0, largest_scaled = 0;  ///< of |s_i a_ij s_j|
};

GLSOLVE_API Analysis analyze(CsrView A);

/// Divides the matrix into `height` x `width` cells and counts the entries in each. The counts are stored row by row,
/// from the top. `height` and `width` must not exceed the rows and columns of the matrix; otherwise some cells stay
/// empty.
GLSOLVE_API std::vector<std::uint32_t> density(CsrView A, int height, int width);

}  // namespace glsolve::inline v0_1
