/// IC(k): incomplete factors (I + L) D (I + L^T) of a symmetric matrix, with the places of a level of fill.
#pragma once

#include "factors/factors.hpp"
#include "factors/pattern.hpp"

namespace glsolve::inline v0_1 {

/// IC(options.level), modified where options.modified is not 0. Of A only the lower triangle is looked at. All pivots
/// have one sign: a matrix that is not definite, or whose incomplete factors would not be, is shifted. The sign is
/// negative where the diagonal has negative entries and no positive ones.
/// Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ic(const CsrMatrix& A, const FactorOptions& options = {});

/// The numeric phase alone, for a matrix whose entries below the diagonal all have a place in `pattern`, which
/// ic_pattern has made; else throws InvalidInput. options.level is not used. In parallel by levels of rows, with the
/// bits of one thread.
Factors factor_ic(const CsrMatrix& A, const FactorPattern& pattern, const FactorOptions& options = {});

}  // namespace glsolve::inline v0_1
