#pragma once

#include <glsolve/options.hpp>

#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// What a solver can be made of; each throws InvalidInput that says what is wrong and what would be accepted.
void check_square(CsrView A, Method method);
void check_options(const Options& options);
/// Throws DeviceError where two floats are asked for that the device does not have.
void check_precision(const Options& options, const DeviceInfo& device);

/// The backend that such a solve needs: one that holds doubles, where these are asked for. Throws InvalidInput where
/// the device has none.
Backend& backend_for(Backend& backend, const Options& options);

/// What options and device come to: the precision of the iteration, and where the residuals of corrections are
/// computed.
void set_precision(System& system, const Options& options);
/// How many iterations there are at most.
std::int64_t iteration_limit(const Options& options, Index unknowns);

}  // namespace glsolve::inline v0_1
