/// Factors in the form in which they are applied, whether the pivots are numbers or blocks.
#pragma once

#include <vector>

#include "factors/block_factors.hpp"
#include "factors/factors.hpp"

namespace glsolve::inline v0_1 {

/// M = (I + L) D (I + U);  D and D^-1 are diagonal, or block-diagonal with full blocks.
struct TriangularFactors {
    CsrMatrix L, U, D, inverse_D;
    bool in_blocks = false;

    /// Of one of D and D^-1.
    Offset nonzeros() const { return L.nonzeros() + D.nonzeros() + U.nonzeros(); }
    /// Matrices whose product, the last one in front, is  U D^-1 L  for those of two triangles.
    std::vector<CsrMatrix> chain(std::vector<CsrMatrix> of_L, std::vector<CsrMatrix> of_U) const;
};

TriangularFactors triangular(Factors factors);
TriangularFactors triangular(BlockFactors factors);

}  // namespace glsolve::inline v0_1
