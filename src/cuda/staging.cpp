#include "cuda/staging.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

constexpr std::size_t smallest_staging_slot = 1 << 16, piece = 1 << 23;  // bytes
constexpr int most_alike = 3;  // slots of one capacity: one is filled, others are copied from

}  // namespace

Staging::~Staging() { trim(); }

void Staging::trim() {
    const CurrentIfPossible current(context_);
    for (const PageLocked& slot : slots_) {
        context_.driver().EventSynchronize(slot.copied);
        free_page_locked(context_.driver(), slot);
    }
    slots_.clear();
}

PageLocked& Staging::free_slot(std::size_t bytes) {
    const Driver& driver = context_.driver();
    const std::size_t capacity = std::max(std::bit_ceil(bytes), smallest_staging_slot);
    int alike = 0;
    PageLocked* oldest = nullptr;
    for (PageLocked& slot : slots_) {
        if (slot.bytes != capacity) continue;
        if (driver.EventQuery(slot.copied) != not_ready) return slot;
        if (alike++ == 0) oldest = &slot;
    }
    if (alike >= most_alike) {
        driver.check(driver.EventSynchronize(oldest->copied), "upload");
        return *oldest;
    }
    return slots_.emplace_back(make_page_locked(driver, capacity, "page-locked memory to upload from"));
}

void Staging::upload(CUdeviceptr to, std::size_t bytes, const std::function<void(void*)>& fill) {
    const Driver& driver = context_.driver();
    const PageLocked& slot = free_slot(bytes);
    fill(slot.data);
    driver.check(driver.MemcpyHtoDAsync(to, slot.data, bytes, context_.stream()), "upload");
    driver.check(driver.EventRecord(slot.copied, context_.stream()), "upload");
}

void Staging::upload(CUdeviceptr to, std::size_t bytes, const void* from) {
    for (std::size_t done = 0; done < bytes; done += piece) {
        const std::size_t part = std::min(piece, bytes - done);
        upload(to + done, part, [&](void* slot) { parallel_copy(slot, static_cast<const char*>(from) + done, part); });
    }
}

}  // namespace glsolve::inline v0_1::cuda
