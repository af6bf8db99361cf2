/// What has to be known of a matrix on a lattice before the next level is made.
#pragma once

#include "multigrid/lattice_stencil.hpp"

namespace glsolve::inline v0_1 {

struct LatticeFacts {
    double bound = 0;  ///< of the spectral radius of D^-1 A: the largest sum of sizes of a row of it
    std::array<bool, 3>
        joined{};  ///< axes along which all points are coupled strongly (joined_axes in amg/lattice.hpp)
    bool has_positive_diagonal() const { return bound < 1e29; }
};

/// d <- 1 / a_ii,  0 where that is not positive
void reciprocal_diagonal(Vector& d, const LatticeStencil& stencil, StorageId tiles);

/// Reads one texel back. `strong`: share of sqrt(a_ii a_jj) from which on a coupling is strong.
LatticeFacts look_at(const LatticeStencil& stencil, StorageId tiles, const Vector& d, double strong);
/// The same without waiting: the texel.
Vector look_at_later(const LatticeStencil& stencil, StorageId tiles, const Vector& d, double strong);

/// A texel with the largest numbers of x in each of the four components of its texels.
Vector largest_of_texels(Vector x);
/// The same, read; waits.
std::array<float, 4> read_largest(Vector x);

}  // namespace glsolve::inline v0_1
