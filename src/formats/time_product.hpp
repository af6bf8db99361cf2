/// How long a product takes on a device.
#pragma once

#include "device/operator.hpp"
#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

/// x of random numbers, and y.
struct TimedVectors {
    TimedVectors(Backend& backend, Index rows);
    Vector x, y;
};

/// Seconds of one product y = A x, the median of some batches.
double time_product(Backend& backend, Operator& A, TimedVectors& vectors);

}  // namespace glsolve::inline v0_1
