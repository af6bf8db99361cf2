/// What options of algebraic multigrid have to be.
#pragma once

#include <glsolve/multigrid.hpp>

#include "options/limits.hpp"

namespace glsolve::inline v0_1 {

/// A level with so many rows or fewer is the coarsest: to invert more takes longer than the passes of a further level
/// do in hundreds of cycles (docs/measurements/multigrid-setup-2026-11-30.md).
inline constexpr Index usual_coarsest = 400;
inline Index rows_of_coarsest(const AmgOptions& options) {
    return options.coarsest > 0 ? options.coarsest : usual_coarsest;
}

/// Share of sqrt(|a_ii a_jj|) from which on aggregates follow an entry.
inline constexpr double usual_strength_of_aggregates = 0.08;

/// Does it make aggregates, in place of C and F unknowns?
constexpr bool aggregates(Coarsening coarsening) {
    return coarsening == Coarsening::smoothed_aggregation || coarsening == Coarsening::aggregation;
}

/// Throws InvalidInput where the options make no sense, or do not fit a matrix with so many rows (negative: any).
void check_amg(const AmgOptions& options, Index rows);

}  // namespace glsolve::inline v0_1
