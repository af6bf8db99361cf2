/// ILU(k): incomplete factors with the places of a level of fill.
#pragma once

#include "factors/factors.hpp"
#include "factors/pattern.hpp"

namespace glsolve::inline v0_1 {

/// ILU(options.level), modified where options.modified is not 0 (Saad 2003, algorithms 10.4 and 10.5; section 10.3.5).
/// Throws InvalidInput if A is not square or an option is out of its range.
Factors factor_ilu(const CsrMatrix& A, const FactorOptions& options = {});

/// The numeric phase alone, for a matrix whose entries all have a place in `pattern` (or are on the diagonal); else
/// throws InvalidInput. options.level is not used. In parallel by levels of rows, with the bits of one thread.
Factors factor_ilu(const CsrMatrix& A, const FactorPattern& pattern, const FactorOptions& options = {});

}  // namespace glsolve::inline v0_1
