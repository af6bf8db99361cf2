/// What one look at all entries of a matrix tells: to read them takes longer than all that is asked of them.
#pragma once

#include <glsolve/csr.hpp>

#include "matrix/csr_entries.hpp"
#include "matrix/scaling.hpp"

namespace glsolve::inline v0_1 {

struct MatrixSurvey {
    double largest = 0;               ///< max |a_ij|
    double norm = 0;                  ///< max over the rows of sum |a_ij|
    double asymmetry = 0;             ///< as asymmetry(A)
    double least_diagonal = 0;        ///< the smallest a_ii, with its sign
    bool has_diagonal = false;        ///< no a_ii is zero, so no row and no column is empty
    PivotRange diagonal, by_largest;  ///< of the pivots of scaling

    /// Of 2^exponent A, or of P A P^T with the rows in another order.
    MatrixSurvey times(int exponent) const;
    bool is_symmetric() const { return asymmetry <= tolerated_asymmetry; }  ///< but for rounding
    /// Symmetric, and nothing on the diagonal is against positive definite.
    bool may_be_definite() const { return is_symmetric() && least_diagonal > 0; }
    const PivotRange& pivots(ScalingRule rule) const { return rule == ScalingRule::by_largest ? by_largest : diagonal; }
};

/// Throws InvalidInput as check(A) does.
MatrixSurvey survey(CsrView A);

}  // namespace glsolve::inline v0_1
