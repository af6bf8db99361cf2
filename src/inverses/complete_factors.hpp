/// Complete LU factors as a preconditioner: for matrices whose values change little.
#pragma once

#include "inverses/apply_factors.hpp"

namespace glsolve::inline v0_1 {

/// What serves a matrix with other values in the same places.
struct CompleteFactors {
    CsrMatrix A;  ///< S A S, which they are of
    MatrixToFactor ordered;
    TriangularFactors factors;
    double shift = 0;  ///< that is added to the diagonal, times the largest entry; 0: A itself was factored
};

struct InverseByFactors {
    MadeInverse inverse;
    std::shared_ptr<const CompleteFactors> factors;
};

/// Factors of S A S by the plan of the direct method (matrix/factor_plan.hpp), applied exactly unless options.apply
/// says otherwise. `known`, or null: those of a matrix with other values, which are kept where no entry has changed by
/// more than a tenth of the largest of its row. Throws InvalidInput where there are none, or they take more than
/// `most_bytes`.
InverseByFactors complete_factors(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options,
                                  double most_bytes, std::shared_ptr<const CompleteFactors> known);

}  // namespace glsolve::inline v0_1
