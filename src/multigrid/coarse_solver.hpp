/// What a cycle leaves its coarsest level to.
#pragma once

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

class CoarseSolver {
  public:
    virtual ~CoarseSolver() = default;

    /// x <- A^-1 b, or what comes near enough; x may hold anything before. Both are on the cycle's device.
    virtual void solve(Vector& x, const Vector& b) = 0;
};

}  // namespace glsolve::inline v0_1
