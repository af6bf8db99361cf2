/// Copies on their way to the host: page-locked memory with events, reused.
#pragma once

#include <cstdint>
#include <deque>

#include "cuda/context.hpp"
#include "cuda/page_locked.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1::cuda {

class Readback {
  public:
    explicit Readback(Context& context) : context_(context) {}
    ~Readback();
    Readback(const Readback&) = delete;
    Readback& operator=(const Readback&) = delete;

    /// What a copy is of.
    enum class Numbers : std::uint8_t { floats, halves, doubles };

    /// Queues the copy of `bytes` from `from` on. Never waits.
    void queue(Ticket ticket, CUdeviceptr from, std::size_t bytes, Numbers numbers);
    /// Takes the copy, as floats, if it has arrived.
    bool try_take(Ticket ticket, const UseTexels& use);
    /// Waits for it.
    void take(Ticket ticket, const UseTexels& use);
    /// The same of doubles, without rounding.
    void take_doubles(Ticket ticket, const UseDoubles& use);
    /// Nobody will take it.
    void drop(Ticket ticket);
    /// Gives the memory back that no copy is in.
    void trim();

  private:
    struct Slot : PageLocked {
        std::size_t used = 0;  // bytes of the copy
        Numbers numbers = Numbers::floats;
        std::uint64_t ticket = 0;  // 0: free
    };
    /// A slot that is looked at, and free afterwards.
    struct Taken {
        explicit Taken(Slot& s) : slot(s) {}
        ~Taken() { slot.ticket = 0; }
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;
        Slot& slot;
    };
    Slot& find(Ticket ticket);
    Slot& free_slot(std::size_t bytes);
    Slot& await(Ticket ticket);
    static void hand_over(Slot& slot, const UseTexels& use);

    Context& context_;
    std::deque<Slot> slots_;  // stay where they are when more come, while one is looked at
};

}  // namespace glsolve::inline v0_1::cuda
