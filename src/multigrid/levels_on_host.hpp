/// Coarser levels that the host works on, as Li et al. (2011) propose it: what would keep a device waiting pass by pass
/// is little work for a processor. Each visit reads a right-hand side back, and the device stands still until the
/// correction goes up.
#pragma once

#include "multigrid/cycle.hpp"

namespace glsolve::inline v0_1 {

/// What solves the coarsest of the levels that stay on the device, which is made here: it has no matrix there, but the
/// vectors that are exchanged. Takes the levels from `first` >= 1 on, which are on the host, off the list; `coarsest`
/// and the rest as Cycle takes them.
std::unique_ptr<CoarseSolver> leave_to_host(std::vector<Level>& levels, std::size_t first,
                                            std::unique_ptr<CoarseSolver> coarsest, MultigridCycle kind, int steps);

}  // namespace glsolve::inline v0_1
