/// What has to be known of a matrix on a lattice before the next level is made.
#pragma once

#include "multigrid/lattice_stencil.hpp"
#include "multigrid/row_facts.hpp"

namespace glsolve::inline v0_1 {

struct LatticeFacts : RowFacts {
    std::array<bool, 3>
        joined{};  ///< axes along which all points are coupled strongly (joined_axes in amg/lattice.hpp)
};

/// d <- 1 / a_ii,  0 where that is not positive
void reciprocal_diagonal(Vector& d, const LatticeStencil& stencil, StorageId tiles);

/// Reads one texel back. `strong`: share of sqrt(a_ii a_jj) from which on a coupling is strong.
LatticeFacts look_at(const LatticeStencil& stencil, StorageId tiles, const Vector& d, double strong);
/// The same without waiting: the texel.
Vector look_at_later(const LatticeStencil& stencil, StorageId tiles, const Vector& d, double strong);

}  // namespace glsolve::inline v0_1
