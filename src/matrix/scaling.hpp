/// Symmetric scaling, by powers of two where nothing else is asked for: exact, and undone on the way out. Real matrices
/// reach from 1e-51 to 1e+19, and a float holds 1e-38 to 3e+38 only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <glsolve/csr.hpp>
#include <limits>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

enum class ScalingRule : std::uint8_t {
    always,        ///< brings the diagonal to [0.7, 2.9): methods that divide by the diagonal do not notice
    where_needed,  ///< only where single precision would suffer: the method then sees another matrix
    to_one,        ///< makes the diagonal 1 or -1, but for a factor where all of it is alike; no powers of two else
    alike,         ///< one factor for all rows, by the largest diagonal entry: S A S has the row sums of A, scaled
    by_largest,    ///< the same by the largest entry of each row: for methods that find pivots of their own
};

/// What rows are scaled by, where it is not zero: the size of the diagonal entry, or of the row's largest where that is
/// zero or not wanted.
struct PivotRange {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    bool zeros = false;  ///< there are rows without

    void add(double pivot) {
        zeros = zeros || pivot == 0;
        if (pivot == 0) return;
        least = std::min(least, pivot);
        most = std::max(most, pivot);
    }
    void add(const PivotRange& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
        zeros = zeros || other.zeros;
    }
};

/// The factors s of S A S; ones where nothing is to be done. `pivots`: of all rows.
std::vector<double> choose_scaling(CsrView A, ScalingRule rule, const PivotRange& pivots);
std::vector<double> choose_scaling(CsrView A, ScalingRule rule);

/// For least squares, the factors of A S. `to_one`: the reciprocal norms of the columns (1 for an empty one), so that
/// A^T A has ones on its diagonal once both sides are scaled. Else one power of two for all, which changes no norm but
/// its size: the longest column has a length of about 1.
std::vector<double> choose_column_scaling(CsrView A, bool to_one);

/// max over the columns of A S of (|A S|^T |A S| e)_j, a bound of |(A S)^T (A S)|.
double normal_infinity_norm(CsrView A, std::span<const double> scale);

/// max over the rows of sum |s_i a_ij s_j|
double infinity_norm(CsrView A, std::span<const double> scale);

}  // namespace glsolve::inline v0_1
