/// What CUDA's tests need. Where it is not there they say so, and CTest shows a skip.
#pragma once

#include <glsolve/device.hpp>
#include <glsolve/error.hpp>
#include <iostream>
#include <optional>

#include "cuda/driver.hpp"

namespace glsolve::test {

inline const cuda::Compiler* compiler_or_skip() {
    try {
        return &cuda::load_compiler();
    } catch (const NoDevice& missing) {
        std::cout << "SKIPPED: " << missing.what() << "\n";
        return nullptr;
    }
}

inline std::optional<Device> device_or_skip(DeviceOptions options = {}) {
    options.backend = BackendKind::cuda;
    try {
        return Device::open(options);
    } catch (const NoDevice& missing) {
        std::cout << "SKIPPED: " << missing.what() << "\n";
        return std::nullopt;
    }
}

}  // namespace glsolve::test
