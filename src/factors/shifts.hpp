/// Shifts of the diagonal, which grow until all pivots are safe (T. A. Manteuffel, Math. Comp. 34, 1980; the sequence
/// is that of C.-J. Lin and J. J. Moré, SIAM J. Sci. Comput. 21, 1999, algorithm 2.2).
///
/// What is factored is  A + shift diag(e_i |a_i|)  with the largest size |a_i| in row i. For a symmetric positive
/// definite matrix with ones on its diagonal that is Manteuffel's  A + shift diag(A).  To take the row's largest entry
/// instead lets the shift reach rows with a small diagonal entry, or none: with a shift of the longest row's length the
/// matrix is diagonally dominant whatever it was, and then incomplete factors exist.
#pragma once

#include <algorithm>
#include <glsolve/csr.hpp>
#include <optional>
#include <string>
#include <vector>

#include "factors/factors.hpp"
#include "factors/triangles.hpp"

namespace glsolve::inline v0_1 {

/// Where an attempt ended.
struct UnsafePivot {
    Index row = 0;     ///< from 0; of a block, its first
    double pivot = 0;  ///< of a block: the least one, relative to the sizes of its rows
};

/// In words: what is wrong with factors, and with the last of several attempts.
std::string unsafe_pivot_text(const UnsafePivot& unsafe);
std::string growth_text(double growth);
std::string last_attempt_text(const char* function, const std::string& wrong, double shift, int attempts);

/// How much M^-1 enlarges: the largest |z_i| of z = M^-1 (|a_1|, ..., |a_n|), where |a_i| is the size of row i. For
/// A itself in place of M this is about 1. A row of zeros counts as 1.
template <class AnyFactors>
double growth_of_inverse(const AnyFactors& M, std::vector<double> sizes) {
    std::replace(sizes.begin(), sizes.end(), 0.0, 1.0);
    solve(M, sizes, sizes);
    return largest_size(sizes);
}

/// Calls attempt(shift), which makes L, D and U or returns an optional UnsafePivot, until all pivots are safe and M^-1
/// has not grown beyond options.most_growth: with options.shift, then with the double of it, but at least 1e-3. `sizes`
/// are the |a_i|; `function` begins the message of a failure.
template <class AnyFactors, class Attempt>
void with_growing_shifts(AnyFactors& made, const FactorOptions& options, const char* function,
                         const std::vector<double>& sizes, const Attempt& attempt) {
    constexpr double first_shift = 1e-3;
    for (made.shift = options.shift;; made.shift = std::max(first_shift, 2 * made.shift)) {
        const std::optional<UnsafePivot> unsafe = attempt(made.shift);
        ++made.attempts;
        const double growth = unsafe ? 0 : growth_of_inverse(made, sizes);
        if (!unsafe && growth <= options.most_growth) return;
        if (made.attempts < options.most_attempts) continue;
        made.failure = last_attempt_text(function, unsafe ? unsafe_pivot_text(*unsafe) : growth_text(growth),
                                         made.shift, made.attempts);
        return;
    }
}

/// The largest |a_ij| of each row; 0 for a row of zeros.
std::vector<double> row_sizes(CsrView A);
/// The same for a symmetric matrix, from its lower triangle.
std::vector<double> row_sizes_of_symmetric(CsrView A);

/// Are there negative entries on the diagonal, and no positive ones? Such a symmetric matrix is factored with the
/// opposite sign.
bool is_negative(CsrView A);
CsrMatrix negated(CsrMatrix A);

/// e |a_i| for a diagonal entry and the size of its row: away from zero.
inline double shift_direction(double diagonal, double size) { return diagonal < 0 ? -size : size; }

}  // namespace glsolve::inline v0_1
