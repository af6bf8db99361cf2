/// Matrices between points that have several unknowns each, made by passes: the rows of a sparse matrix between points,
/// and a block of numbers for each entry (shaders/blocks.glsl).
#pragma once

#include <optional>
#include <span>

#include "multigrid/sparse_interpolation.hpp"

namespace glsolve::inline v0_1 {

struct DeviceBlocks {
    DeviceRows pattern;  ///< of points; of a square matrix with the diagonal among the entries
    Storage points;      ///< to which row each texel of entries belongs
    Storage blocks;
    int side = 1;  ///< rows of a block: unknowns of a point
    int wide = 1;  ///< columns of a block
};

/// S A S, whose rows stand together by `side`. None where single precision does not hold its numbers.
std::optional<DeviceBlocks> upload_blocks(Backend& backend, const EntryLayout& layout, CsrView A, int side,
                                          std::span<const double> scale);

/// The rows of T, `wide` numbers each, as they act on what is scaled: S^-1 T. Zeros for those without an aggregate.
Storage upload_tentative(Backend& backend, const EntryLayout& layout, CsrView T, int wide,
                         std::span<const double> scale);

/// Of each unknown 1 / a_ii, and of rows the bound of the spectral radius. Reads one texel back.
RowFacts look_at_blocks(const DeviceBlocks& A, Vector& d);
/// The norms of the blocks become the values of the pattern; d <- 1 / those on the diagonal.
void take_norms(DeviceBlocks& A, Vector& d);

/// P = (I - omega D^-1 A) T, P^T's pattern, and P^T A P. T has in row i, for each unknown, `wide` numbers, those of its
/// aggregate; d: 1 / a_ii of the unknowns, d_points as take_norms makes it.
struct BlockInterpolation {
    DeviceBlocks P, Pt;  ///< P^T has no blocks of its own
    DeviceBlocks coarse;
};
BlockInterpolation smoothed_blocks(const DeviceBlocks& A, const Vector& d, const Vector& d_points,
                                   const DeviceAggregates& aggregates, const Storage& tentative, int wide,
                                   double omega);

/// The same as matrices of numbers: P, P^T, and P^T A P with its row sums.
struct ExpandedInterpolation {
    DeviceRows P, Pt, coarse;
};
ExpandedInterpolation expanded(const BlockInterpolation& made);

}  // namespace glsolve::inline v0_1
