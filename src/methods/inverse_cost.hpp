/// What it takes to invert a matrix on a device (dense/inverse.hpp).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/csr.hpp>
#include <string>

#include "base/parallel.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// 2 n^3 operations, and n^2 numbers, which are there twice while a column goes from one texture to the other.
struct InverseCost {
    double seconds, bytes;

    InverseCost(Index n, const Capabilities& device)
        : seconds(2.0 * n * n * n / operations_per_second(device)), bytes(2 * sizeof(float) * 1.0 * n * n) {}

    /// Worth a try where a method has failed?
    bool is_small() const { return seconds <= 30 && bytes <= 1u << 30; }
    std::string in_words() const { return fmt::format("about {:.2g} s and {:.0f} MB", seconds, bytes * 1e-6); }

  private:
    /// A core has done 2.1e9 to 3.3e9 (host and llvmpipe, n from 1,156 to 3,364), an H200 2.8e10 (n = 4,000).
    static double operations_per_second(const Capabilities& device) {
        return device.on_processor ? 2.25e9 * std::clamp(usable_cores(), 1, 16) : 1e10;
    }
};

}  // namespace glsolve::inline v0_1
