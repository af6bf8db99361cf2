/// How many of all products of choices a run of the tests takes.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "support/device.hpp"

namespace glsolve::test {

/// scripts/test.sh --long: everything on every device, hours in software.
inline bool is_long_run() { return std::getenv("GLSOLVE_TEST_LONG") != nullptr; }

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_sanitized = true;  // and twenty times as slow
#else
inline constexpr bool is_sanitized = false;
#endif

/// Is this product of choices tried? All are on the host and in the long run. Elsewhere, and under sanitizers, one of
/// `every` is, and another one in the compute stage: the sum of the choices decides. Each pair of choices is met where
/// the others make every sum.
template <class... Choices>
bool is_tried(std::size_t every, Choices... choices) {
    const DeviceInfo& info = device_under_test().info();
    if ((info.backend == BackendKind::host && !is_sanitized) || is_long_run()) return true;
    const std::size_t stage = info.stage == Stage::compute ? 1 : 0;
    return (stage + ... + static_cast<std::size_t>(choices)) % every == 0;
}

}  // namespace glsolve::test
