/// ILU(0) that the device makes itself, by sweeps over all entries at once (ParILU; with symmetric factors where the
/// matrix is symmetric: ParIC).
///
/// Source:  E. Chow and A. Patel, SIAM J. Sci. Comput. 37 (2015): src/factors/fixed_point.hpp has the formula.
#pragma once

#include "factors/fixed_point.hpp"
#include "inverses/apply_factors.hpp"

namespace glsolve::inline v0_1 {

/// What other numbers in the same places need not look for again.
struct FixedPointPlan {
    std::shared_ptr<const FixedPointPattern> pattern;
    int sweeps = 0;  ///< that make the factors
    int solves = 0;  ///< sweeps that apply each of them
};

struct FixedPointIlu {
    MadeInverse inverse;
    std::shared_ptr<const FixedPointPlan> plan;
};

/// Sweeps make the factors of S A S, and sweeps apply them. Where those that apply them do not come near, or another
/// way is asked for, the factors go through the host and are applied by `apply_factors`. `known`: the plan of a matrix
/// with other numbers, or null; then its pattern and numbers of sweeps are taken where the places are the same. Throws
/// InvalidInput where no factors are found.
FixedPointIlu fixed_point_ilu(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options,
                              const FixedPointPlan* known);

}  // namespace glsolve::inline v0_1
