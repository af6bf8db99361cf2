/// Incomplete factorisations: ILU(k), IC(k), ILUT and ICT, and the first two with blocks for numbers.
#pragma once

#include "factors/block_factors.hpp"
#include "factors/factors.hpp"
#include "factors/pattern.hpp"

namespace glsolve::inline v0_1 {

// ILU(k): incomplete factors with the places of a level of fill.

/// ILU(options.level), modified where options.modified is not 0 (Saad 2003, algorithms 10.4 and 10.5; section 10.3.5).
/// Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ilu(CsrView A, const FactorOptions& options = {});

/// The numeric phase alone, for a matrix whose entries all have a place in `pattern` (or are on the diagonal); else
/// throws InvalidInput. options.level is not used. In parallel by levels of rows, with the bits of one thread.
Factors factor_ilu(CsrView A, const FactorPattern& pattern, const FactorOptions& options = {});

// IC(k): incomplete factors (I + L) D (I + L^T) of a symmetric matrix, with the places of a level of fill.

/// IC(options.level), modified where options.modified is not 0. Of A only the lower triangle is looked at. All pivots
/// have one sign: a matrix that is not definite, or whose incomplete factors would not be, is shifted. The sign is
/// negative where the diagonal has negative entries and no positive ones.
/// Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ic(CsrView A, const FactorOptions& options = {});

/// The numeric phase alone, for a matrix whose entries below the diagonal all have a place in `pattern`, which
/// ic_pattern has made; else throws InvalidInput. options.level is not used. In parallel by levels of rows, with the
/// bits of one thread.
Factors factor_ic(CsrView A, const FactorPattern& pattern, const FactorOptions& options = {});

// ILUT(p, tau): incomplete factors that keep what is large.

/// Saad 2003, algorithm 10.6. tau is options.drop_tolerance, p follows from options.fill (factors.hpp). In row i,
/// entries are dropped whose size is at most tau times the 2-norm of row i of A, and all but the p largest on either
/// side of the diagonal. Sizes are those in the row under elimination: |l_ij d_j| left of the diagonal and |d_i u_ij|
/// right of it, both in units of that row. options.modified adds what is dropped to the diagonal, whether dropped
/// before or after its use. In one thread: which rows a row needs is known only when it is made.
/// Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ilut(CsrView A, const FactorOptions& options = {});

// ICT: incomplete factors (I + L) D (I + L^T) of a symmetric matrix that keep what is large.

/// Row i of U = L^T is what is left of row i of A right of the diagonal. An entry is dropped if it is at most
/// tau sqrt(|a_i| |a_j|), where |a_i| is the largest size in row i of A (N. Munksgaard, ACM Trans. Math. Software 6,
/// 1980, with the diagonal for that), and all but the p largest. tau is options.drop_tolerance, p follows from
/// options.fill (factors.hpp). options.modified adds what is dropped at (i, j) to the diagonal entries of i and of j.
/// Of A only the lower triangle is looked at. All pivots have one sign, as with IC. In one thread: which rows a row
/// needs is known only when it is made. Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ict(CsrView A, const FactorOptions& options = {});

// Block ILU(k) and block IC(k): the algorithms of ILU(k) and IC(k), with small dense blocks for numbers.

/// Block ILU(options.level) with blocks of b = 2, 3 or 4 rows. A block has a place if one of its entries has one in A,
/// or by its level of fill. options.modified adds the row sums of dropped blocks to the diagonal. A block pivot is safe
/// if its own LU factors, with rows and columns pivoted, have no pivot up to options.least_pivot once its rows have
/// been divided by the largest entries of those rows of A. In parallel by levels of block rows, with the bits of one
/// thread. Throws InvalidInput if A is not square, for another b, or for an option out of its range.
BlockFactors factor_block_ilu(CsrView A, Index b, const FactorOptions& options = {});

/// The same for a symmetric matrix, of which only the lower triangle is looked at: U = L^T, and the blocks of D are
/// symmetric and definite, all with one sign, as the pivots of IC.
BlockFactors factor_block_ic(CsrView A, Index b, const FactorOptions& options = {});

}  // namespace glsolve::inline v0_1
