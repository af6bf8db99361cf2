/// Shifts of the diagonal, which grow until all pivots are safe (T. A. Manteuffel, Math. Comp. 34, 1980; the sequence
/// is that of C.-J. Lin and J. J. Moré, SIAM J. Sci. Comput. 21, 1999, algorithm 2.2).
///
/// What is factored is  A + shift diag(e_i |a_i|)  with the largest size |a_i| in row i. For a symmetric positive
/// definite matrix with ones on its diagonal that is Manteuffel's  A + shift diag(A).  To take the row's largest entry
/// instead lets the shift reach rows with a small diagonal entry, or none: with a shift of the longest row's length the
/// matrix is diagonally dominant whatever it was, and then incomplete factors exist.
#pragma once

#include <functional>
#include <glsolve/csr.hpp>
#include <optional>
#include <string>
#include <vector>

#include "factors/factors.hpp"

namespace glsolve::inline v0_1 {

/// Where an attempt ended.
struct UnsafePivot {
    Index row = 0;     ///< from 0; of a block, its first
    double pivot = 0;  ///< of a block: the least one, relative to the sizes of its rows
};

struct ShiftOutcome {
    double shift = 0;
    int attempts = 0;
    std::string failure;
};

/// Calls attempt(shift) until it finds no unsafe pivot: with options.shift, then with the double of it, but at least
/// 1e-3. `function` begins the message of a failure.
ShiftOutcome with_growing_shifts(const FactorOptions& options, const char* function,
                                 const std::function<std::optional<UnsafePivot>(double shift)>& attempt);

/// The largest |a_ij| of each row; 0 for a row of zeros.
std::vector<double> row_sizes(const CsrMatrix& A);
/// The same for a symmetric matrix, from its lower triangle.
std::vector<double> row_sizes_of_symmetric(const CsrMatrix& A);

/// e |a_i| for a diagonal entry and the size of its row: away from zero.
inline double shift_direction(double diagonal, double size) { return diagonal < 0 ? -size : size; }

}  // namespace glsolve::inline v0_1
