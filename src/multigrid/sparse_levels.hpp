/// Algebraic multigrid for any symmetric matrix, set up by passes: strong entries, roots of aggregates, smoothed
/// prolongation, P^T A P. The levels are those of Hierarchy (amg/hierarchy.hpp), in the device's precision.
///
/// Source:  P. Vanek, J. Mandel and M. Brezina, Computing 56 (1996); W. N. Bell, S. Dalton and L. N. Olson, SIAM J.
/// Sci.
///          Comput. 34 (2012).
/// Cost:    sizes come back from the device, some ten for each level, and the coarsest matrix, which the host inverts.
#pragma once

#include <optional>
#include <string>

#include "multigrid/device_levels.hpp"

namespace glsolve::inline v0_1 {

/// Can the device's passes make them? They need a stage that writes elsewhere, and software renderers leave a shader
/// after 65,535 rounds of its loops (formats/loop_rounds.hpp), without a word.
inline bool makes_sparse_levels(const Capabilities& device) {
    const bool leaves_loops = device.on_processor && !device.by_numbers;
    return device.ranges && !leaves_loops;
}

/// Levels for the system on the device, whose matrix on the host is A, until one has at most `coarsest` rows. None
/// where a level turns out to be none for passes, and `why` then: the host is to make them. Throws DeviceError where
/// the device has no memory for them, InvalidInput where its textures are too small.
std::optional<DeviceLevels> make_sparse_levels(const AssembledSystem& system, CsrView A, const AmgOptions& options,
                                               Index coarsest, std::string& why);

}  // namespace glsolve::inline v0_1
