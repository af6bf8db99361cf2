/// When the device came to certain points of its work; asked for late, so that nobody waits.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "cuda/context.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1::cuda {

class TimeMarks {
  public:
    explicit TimeMarks(Context& context) : context_(context) {}
    ~TimeMarks();
    TimeMarks(const TimeMarks&) = delete;
    TimeMarks& operator=(const TimeMarks&) = delete;

    /// Queues one.
    void queue(Ticket ticket);
    /// Its seconds, once it is there; it is forgotten then.
    std::optional<double> try_take(Ticket ticket);
    /// Nobody will ask for it.
    void drop(Ticket ticket);

  private:
    CUevent take_event();

    Context& context_;
    std::unordered_map<std::uint64_t, CUevent> marks_;
    std::vector<CUevent> spare_;
    // Times are told as floats: from the last one that was taken, which is never far.
    CUevent last_ = nullptr;
    double last_seconds_ = 0;
};

}  // namespace glsolve::inline v0_1::cuda
