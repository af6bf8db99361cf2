/// What the factorisations refuse, in the same words.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/error.hpp>

#include "factors/factors.hpp"
#include "factors/pattern.hpp"

namespace glsolve::inline v0_1 {

/// Throws InvalidInput for an option out of its range. All messages begin with `function`.
void check(const FactorOptions& options, const char* function);
/// Throws InvalidInput for a matrix that is not square.
void require_square(CsrView A, const char* function);
/// How many entries L and U may have each.
Offset most_entries(const FactorOptions& options, Offset entries_of_A);
/// Throws InvalidInput for a pattern that ended in a failure, for one with another number of rows, or, where symmetric
/// factors are asked for, one that is not of IC.
void require_fitting(const FactorPattern& pattern, Index rows, bool symmetric, const char* function);
/// To be thrown for an entry of A that has no place in the pattern. Both are counted from 0.
InvalidInput entry_without_place(const char* function, Index row, Index column);

}  // namespace glsolve::inline v0_1
