/// Algebraic multigrid for a symmetric matrix on a lattice, set up by passes: interpolation between the centres of
/// blocks, P^T A P as diagonals, the bound of the spectrum. The levels are those of Hierarchy (amg/hierarchy.hpp), in
/// the device's precision, but for the end: where no lattice follows, a level of 1,500 rows or fewer is the coarsest.
///
/// Cost:    each level is read some ten times, and one texel of it comes back: which axes its blocks are joined along
///          decides how large the next level is. The coarsest matrix comes back, and is inverted on the host.
#pragma once

#include <optional>

#include "multigrid/device_levels.hpp"
#include "multigrid/lattice_transfer.hpp"

namespace glsolve::inline v0_1 {

/// Is the device to make the levels? By itself where it takes less time than the host: processors run passes more
/// slowly, and for few rows it is not worth while to compile them.
bool asks_for_passes(const AmgOptions& options, const Capabilities& device, Index rows);

/// Is the near-null space one constant vector, and each unknown a point of its own?
inline bool has_one_constant(const AmgOptions& options) {
    return options.near_null_space.empty() && options.unknowns_a_point == 1;
}

/// Are the levels of these options such that passes can make them?
bool can_be_made_by_passes(const AmgOptions& options, Index rows, bool symmetric);

/// Levels for the system on the device, whose matrix on the host is A, until one has at most `coarsest` rows. None
/// where A is not on a lattice, or where a level turns out to be none for passes: the host is to make them.
/// Throws DeviceError where the device has no memory for tiles and weights, which the host's levels need not take.
std::optional<DeviceLevels> make_lattice_levels(const AssembledSystem& system, CsrView A, const AmgOptions& options,
                                                Index coarsest);

}  // namespace glsolve::inline v0_1
