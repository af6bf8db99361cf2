/// Chadov's figures 2 and 3, and the bounds that the iteration needs.
#pragma once

#include "tables.hpp"

namespace glsolve::bench::chebyshev {

/// What a few steps of conjugate gradients know of the spectrum of D^-1 A, and how many iterations follow from it.
void add_bounds(Section& section, NamedDevice& device, const ChadovSystem& system);

/// Figure 2: some steps of the naive and of the optimised form, with the time in which the device waits; `runs` have
/// been timed without marks.
void add_time_lines(Section& section, NamedDevice& device, const ChadovSystem& system, const DeviceRuns& runs);

/// Figure 3: the share of each kind of pass in the time, and how often it runs.
void add_pass_shares(Section& section, NamedDevice& device, const ChadovSystem& system);

}  // namespace glsolve::bench::chebyshev
