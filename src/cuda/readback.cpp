#include "cuda/readback.hpp"

#include <algorithm>
#include <bit>
#include <glsolve/error.hpp>
#include <vector>

#include "base/half.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

constexpr std::size_t smallest_readback_slot = 1 << 8;  // bytes

}  // namespace

Readback::~Readback() {
    const CurrentIfPossible current(context_);
    for (const Slot& slot : slots_) free_page_locked(context_.driver(), slot);
}

void Readback::queue(Ticket ticket, CUdeviceptr from, std::size_t bytes, Numbers numbers) {
    const Driver& driver = context_.driver();
    Slot& slot = free_slot(bytes);
    driver.check(driver.MemcpyDtoHAsync(slot.data, from, bytes, context_.stream()), "reading back");
    driver.check(driver.EventRecord(slot.copied, context_.stream()), "reading back");
    slot.used = bytes;
    slot.numbers = numbers;
    slot.ticket = ticket.value;
}

bool Readback::try_take(Ticket ticket, const UseTexels& use) {
    Slot& slot = find(ticket);
    const CUresult state = context_.driver().EventQuery(slot.copied);
    if (state == not_ready) return false;
    context_.driver().check(state, "reading back");
    hand_over(slot, use);
    return true;
}

Readback::Slot& Readback::await(Ticket ticket) {
    Slot& slot = find(ticket);
    context_.driver().check(context_.driver().EventSynchronize(slot.copied), "reading back");
    return slot;
}

void Readback::take(Ticket ticket, const UseTexels& use) { hand_over(await(ticket), use); }

void Readback::take_doubles(Ticket ticket, const UseDoubles& use) {
    const Taken taken(await(ticket));
    if (taken.slot.numbers != Numbers::doubles) throw Error("collect: what was read are no doubles");
    use({static_cast<const double*>(taken.slot.data), taken.slot.used / sizeof(double)});
}

/// The copy may be under way still: what is queued next comes after it.
void Readback::drop(Ticket ticket) {
    for (Slot& slot : slots_) {
        if (slot.ticket == ticket.value) slot.ticket = 0;
    }
}

/// A copy that was dropped may be under way still.
void Readback::trim() {
    std::erase_if(slots_, [&](const Slot& slot) {
        if (slot.ticket != 0) return false;
        context_.driver().EventSynchronize(slot.copied);
        free_page_locked(context_.driver(), slot);
        return true;
    });
}

Readback::Slot& Readback::find(Ticket ticket) {
    for (Slot& slot : slots_) {
        if (slot.ticket == ticket.value) return slot;
    }
    throw Error("collect: this read-back was never asked for, or was taken already");
}

Readback::Slot& Readback::free_slot(std::size_t bytes) {
    const std::size_t capacity = std::max(std::bit_ceil(bytes), smallest_readback_slot);
    for (Slot& slot : slots_) {
        if (slot.ticket == 0 && slot.bytes == capacity) return slot;
    }
    return slots_.emplace_back(
        Slot{make_page_locked(context_.driver(), capacity, "page-locked memory to read back into")});
}

void Readback::hand_over(Slot& slot, const UseTexels& use) {
    const Taken taken(slot);
    const auto rounded = [&](const auto* numbers, const auto& round) {
        std::vector<float> floats(slot.used / sizeof *numbers);
        parallel_each(floats.size(), [&](std::size_t i) { floats[i] = round(numbers[i]); });
        use(floats);
    };
    switch (slot.numbers) {
        case Numbers::floats:
            return use({static_cast<const float*>(slot.data), slot.used / sizeof(float)});
        case Numbers::halves:
            return rounded(static_cast<const std::uint16_t*>(slot.data), float_of_half);
        case Numbers::doubles:
            return rounded(static_cast<const double*>(slot.data), [](double d) { return static_cast<float>(d); });
    }
}

}  // namespace glsolve::inline v0_1::cuda
