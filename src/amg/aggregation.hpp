/// Aggregates: small connected sets of unknowns, each of which becomes one point of the coarser level.
///
/// Source:  W. N. Bell, S. Dalton and L. N. Olson, SIAM J. Sci. Comput. 34 (2012), section 4.1 (roots that are at least
///          three steps apart); P. Vanek, J. Mandel and M. Brezina, Computing 56 (1996).
#pragma once

#include <vector>

#include "amg/lattice.hpp"
#include "amg/strength.hpp"

namespace glsolve::inline v0_1 {

struct Aggregates {
    static constexpr Index none = -1;  ///< of an unknown that depends on nothing: relaxation alone solves for it

    std::vector<Index> of;  ///< each unknown
    Index count = 0;
    Lattice lattice;  ///< of the aggregates, where they are blocks of one; else empty
};

/// The neighbourhoods, two steps wide, of roots that are at least three steps apart. S must be symmetric.
Aggregates around_roots(const Strength& S);

/// Blocks of three points a side along the `joined` axes of a lattice: a lattice again.
Aggregates blocks(const Lattice& fine, std::array<bool, 3> joined);

}  // namespace glsolve::inline v0_1
