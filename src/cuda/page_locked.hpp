/// Memory of the host that the device copies from and to by itself, and the event that says when a copy is done.
#pragma once

#include <cstddef>
#include <string_view>

#include "cuda/driver.hpp"

namespace glsolve::inline v0_1::cuda {

struct PageLocked {
    void* data = nullptr;
    std::size_t bytes = 0;
    CUevent copied = nullptr;
};

/// Throws DeviceError, with `what` it is for, where there is none to be had.
inline PageLocked make_page_locked(const Driver& driver, std::size_t bytes, std::string_view what) {
    PageLocked made{.bytes = bytes};
    driver.check(driver.MemHostAlloc(&made.data, bytes, 0), what);
    if (const CUresult result = driver.EventCreate(&made.copied, event_disable_timing); result != success) {
        driver.MemFreeHost(made.data);
        driver.check(result, what);
    }
    return made;
}

/// What is under way must be done.
inline void free_page_locked(const Driver& driver, const PageLocked& memory) {
    driver.EventDestroy(memory.copied);
    driver.MemFreeHost(memory.data);
}

}  // namespace glsolve::inline v0_1::cuda
