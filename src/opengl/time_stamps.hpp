/// When the device came to certain points of its work; asked for late, so that nobody waits.
#pragma once

#include <deque>
#include <optional>

#include "device/backend.hpp"
#include "opengl/objects.hpp"

namespace glsolve::inline v0_1::opengl {

class TimeStamps {
  public:
    explicit TimeStamps(const Functions& gl) : gl_(gl) {}

    /// Queues one. (GL_TIMESTAMP and not GL_TIME_ELAPSED, of which a renderer may have one running.)
    void queue(Ticket ticket);
    /// Its seconds, once it is there; it is forgotten then.
    std::optional<double> try_take(Ticket ticket);
    /// Nobody will ask for it.
    void drop(Ticket ticket);

  private:
    struct Slot {
        Query query;
        std::uint64_t ticket = 0;  // 0: free
    };
    Slot* find(Ticket ticket);

    const Functions& gl_;
    std::deque<Slot> slots_;
};

}  // namespace glsolve::inline v0_1::opengl
