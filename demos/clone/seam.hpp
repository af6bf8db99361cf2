/// How well a picture hides that it was put together.
#pragma once

#include "clone/cloning.hpp"
#include "clone/inputs.hpp"

namespace cloning {

/// Both are means over pairs of neighbours p and q in the target and over red, green and blue, in steps of 1/255, of
///
///     |(r_p - r_q) - g_pq|
///
/// what the result r jumps beyond what the gradient g that was to be cloned explains. A seam is a jump without a
/// reason: it is seen from some steps on. Without mixed gradients g_pq = s_p - s_q.
struct Seam {
    double along = 0;   ///< pairs with p in the mask and q beside it
    double inside = 0;  ///< pairs with both in the mask: whether the source has kept its look
    int unknowns = 0;   ///< pixels of the mask that lie in the target
};

Seam measure_seam(const Inputs& inputs, const Placement& placement, const demo::Picture& result);

}  // namespace cloning
