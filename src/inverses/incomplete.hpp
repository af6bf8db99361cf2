/// Approximations of A^-1 for a system on the device, made from its matrix on the host (src/factors).
#pragma once

#include "inverses/apply_factors.hpp"

namespace glsolve::inline v0_1 {

enum class Factorisation : std::uint8_t { ilu, ilut, ic, ict };

/// M = (I + L) D (I + U) with incomplete factors of S A S; with the level of fill of ilu and ic, and all else as
/// `options` say. Throws InvalidInput where there are none.
MadeInverse incomplete_factors(const AssembledSystem& system, CsrView A, Factorisation how, int level,
                               const PreconditionerOptions& options, ChosenBy by = ChosenBy::time);

/// FSAI: for symmetric matrices G^T G, adaptive; for others two triangles on the places of a power of A. Throws
/// InvalidInput where a matrix that should be definite is not.
MadeInverse factorised_inverse(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options);

/// SPAI, which is not symmetric.
MadeInverse least_squares_inverse(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options);

}  // namespace glsolve::inline v0_1
