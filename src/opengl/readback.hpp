/// Copies on their way from textures to the host: pixel buffers with fences, reused.
#pragma once

#include <cstdint>
#include <deque>

#include "device/backend.hpp"
#include "opengl/objects.hpp"

namespace glsolve::inline v0_1::opengl {

class Readback {
  public:
    explicit Readback(const Functions& gl) : gl_(gl) {}
    ~Readback();
    Readback(const Readback&) = delete;
    Readback& operator=(const Readback&) = delete;

    /// Queues the copy of lines of the colour attachment of the framebuffer that is bound for reading. Never waits.
    void queue(Ticket ticket, int width, Lines lines);
    /// Takes the copy if it has arrived.
    bool try_take(Ticket ticket, const UseTexels& use);
    /// Nobody will take it.
    void drop(Ticket ticket);
    /// Waits for it.
    void take(Ticket ticket, const UseTexels& use);

  private:
    struct Slot {
        Buffer buffer;
        std::size_t bytes = 0;
        std::uint64_t ticket = 0;  // 0: free
        GLsync fence = nullptr;
    };
    Slot& find(Ticket ticket);
    Slot& free_slot(std::size_t bytes);
    void hand_over(Slot& slot, const UseTexels& use) const;

    const Functions& gl_;
    std::deque<Slot> slots_;  // stay where they are when more come, while one is mapped
};

}  // namespace glsolve::inline v0_1::opengl
