/// What one look at all entries of a matrix tells: to read them takes longer than all that is asked of them.
#pragma once

#include <glsolve/csr.hpp>

#include "matrix/scaling.hpp"

namespace glsolve::inline v0_1 {

struct MatrixSurvey {
    double largest = 0;              ///< max |a_ij|
    double norm = 0;                 ///< max over the rows of sum |a_ij|
    double asymmetry = 0;            ///< as asymmetry(A)
    PivotRange diagonal, by_largest; ///< of the pivots of scaling

    const PivotRange& pivots(ScalingRule rule) const {
        return rule == ScalingRule::by_largest ? by_largest : diagonal;
    }
};

/// Throws InvalidInput as check(A) does.
MatrixSurvey survey(const CsrMatrix& A);

}  // namespace glsolve::inline v0_1
