#include "cuda/staging.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

constexpr std::size_t smallest_slot = 1 << 16, piece = 1 << 23;  // bytes
constexpr int most_alike = 3;  // slots of one capacity: one is filled, others are copied from

}  // namespace

Staging::~Staging() { trim(); }

void Staging::trim() {
    const CurrentIfPossible current(context_);
    for (const Slot& slot : slots_) {
        context_.driver().EventSynchronize(slot.copied);
        context_.driver().EventDestroy(slot.copied);
        context_.driver().MemFreeHost(slot.data);
    }
    slots_.clear();
}

Staging::Slot& Staging::free_slot(std::size_t bytes) {
    const Driver& driver = context_.driver();
    const std::size_t capacity = std::max(std::bit_ceil(bytes), smallest_slot);
    int alike = 0;
    Slot* oldest = nullptr;
    for (Slot& slot : slots_) {
        if (slot.capacity != capacity) continue;
        if (driver.EventQuery(slot.copied) != not_ready) return slot;
        if (alike++ == 0) oldest = &slot;
    }
    if (alike >= most_alike) {
        driver.check(driver.EventSynchronize(oldest->copied), "upload");
        return *oldest;
    }
    Slot slot{.capacity = capacity};
    driver.check(driver.MemHostAlloc(&slot.data, capacity, 0), "page-locked memory to upload from");
    if (const CUresult result = driver.EventCreate(&slot.copied, event_disable_timing); result != success) {
        driver.MemFreeHost(slot.data);
        driver.check(result, "an event to upload with");
    }
    return slots_.emplace_back(slot);
}

void Staging::upload(CUdeviceptr to, std::size_t bytes, const std::function<void(void*)>& fill) {
    const Driver& driver = context_.driver();
    const Slot& slot = free_slot(bytes);
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
