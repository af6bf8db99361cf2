/// Copies on their way from textures to the host: pixel buffers with fences, reused.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/backend.hpp"
#include "opengl/objects.hpp"

namespace glsolve::inline v0_1::opengl {

class Readback {
  public:
    explicit Readback(const Functions& gl) : gl_(gl) {}
    ~Readback();
    Readback(const Readback&) = delete;
    Readback& operator=(const Readback&) = delete;

    /// Queues the copy of the colour attachment of the framebuffer that is bound for reading. Never waits.
    void queue(Ticket ticket, Extent extent);
    /// Takes the copy if it has arrived.
    bool try_take(Ticket ticket, std::span<float> texels);
    /// Waits for it.
    void take(Ticket ticket, std::span<float> texels);

  private:
    struct Slot {
        Buffer buffer;
        std::size_t bytes = 0;
        std::uint64_t ticket = 0;  // 0: free
        GLsync fence = nullptr;
    };
    Slot& find(Ticket ticket);
    Slot& free_slot(std::size_t bytes);
    void copy_out(Slot& slot, std::span<float> texels) const;

    const Functions& gl_;
    std::vector<Slot> slots_;
};

}  // namespace glsolve::inline v0_1::opengl
