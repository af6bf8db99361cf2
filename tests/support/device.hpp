/// The device that this run of the tests is about. The environment names it:
///   GLSOLVE_TEST_DEVICE  host | host-doubles | fragment | compute | cuda | cuda-doubles   (host when not set)
///   GLSOLVE_TEST_CACHE   folder in which programs for CUDA are kept; none when not set
///   GLSOLVE_TEST_DRIVER  part of the renderer's name that is expected, e.g. softpipe
///   GLSOLVE_REQUIRE      list of devices whose absence is a failure instead of a skip
#pragma once

#include <glsolve/device.hpp>
#include <glsolve/options.hpp>

#include "device/backend.hpp"

namespace glsolve::test {

/// Opens the device on first use; main() has made sure that it exists.
Device& device_under_test();
/// Its backend, for passes; of host-doubles and cuda-doubles the one whose numbers are doubles.
Backend& backend_under_test();
/// For solves: `doubles` on those two.
Precision precision_under_test();

/// Is the renderer one of those on which a solve of more than some hundred unknowns takes seconds?
bool is_slow();

/// Closes the devices before main() ends: drivers do not like to be left to static destruction.
void close_devices();

}  // namespace glsolve::test
