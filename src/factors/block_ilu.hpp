/// Block ILU(k) and block IC(k): the algorithms of ILU(k) and IC(k), with small dense blocks for numbers.
#pragma once

#include "factors/block_factors.hpp"
#include "factors/factors.hpp"

namespace glsolve::inline v0_1 {

/// Block ILU(options.level) with blocks of b = 2, 3 or 4 rows. A block has a place if one of its entries has one in A,
/// or by its level of fill. options.modified adds the row sums of dropped blocks to the diagonal. A block pivot is safe
/// if its own LU factors, with rows and columns pivoted, have no pivot up to options.least_pivot once its rows have
/// been divided by the largest entries of those rows of A. In parallel by levels of block rows, with the bits of one
/// thread. Throws InvalidInput if A is not square, for another b, or for an option out of its range.
BlockFactors factor_block_ilu(const CsrMatrix& A, Index b, const FactorOptions& options = {});

/// The same for a symmetric matrix, of which only the lower triangle is looked at: U = L^T, and the blocks of D are
/// symmetric and definite, all with one sign, as the pivots of IC.
BlockFactors factor_block_ic(const CsrMatrix& A, Index b, const FactorOptions& options = {});

}  // namespace glsolve::inline v0_1
