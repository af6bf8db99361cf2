/// Copies on their way to the host: page-locked memory with events, reused.
#pragma once

#include <cstdint>
#include <deque>

#include "cuda/context.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1::cuda {

class Readback {
  public:
    explicit Readback(Context& context) : context_(context) {}
    ~Readback();
    Readback(const Readback&) = delete;
    Readback& operator=(const Readback&) = delete;

    /// Queues the copy of `bytes` from `from` on, which are floats or halves. Never waits.
    void queue(Ticket ticket, CUdeviceptr from, std::size_t bytes, Element element);
    /// Takes the copy if it has arrived.
    bool try_take(Ticket ticket, const UseTexels& use);
    /// Waits for it.
    void take(Ticket ticket, const UseTexels& use);
    /// Nobody will take it.
    void drop(Ticket ticket);

  private:
    struct Slot {
        void* data = nullptr;
        std::size_t bytes = 0;
        Element element = Element::real;
        CUevent arrived = nullptr;
        std::uint64_t ticket = 0;  // 0: free
    };
    Slot& find(Ticket ticket);
    Slot& free_slot(std::size_t bytes);
    static void hand_over(Slot& slot, const UseTexels& use);

    Context& context_;
    std::deque<Slot> slots_;  // stay where they are when more come, while one is looked at
};

}  // namespace glsolve::inline v0_1::cuda
