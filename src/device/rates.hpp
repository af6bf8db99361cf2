/// How quick a device is: what decides between devices and their stages.
#pragma once

#include <functional>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

enum class RatesOf : std::uint8_t {
    update,  ///< of an update of a vector alone; the rest is 0, or what has been measured before
    all
};

/// Measured once for each device, driver and stage: in a process, or in all that keep it in one folder
/// (Backend::kept_in). `prepare` is called where it is measured (to change over to the stage).
StageInfo remembered_rates(Backend& backend, Stage stage, RatesOf what, const std::function<void()>& prepare = {});

/// Seconds of an update of a vector of `length` numbers and of an inner product of it: what decides between two
/// devices, which must be asked for the same.
double seconds_of_work(Backend& backend, Offset length);

/// Seconds a texel of an update, and of the sum of as many where that has been measured.
double seconds_a_texel(const StageInfo& rates);

}  // namespace glsolve::inline v0_1
