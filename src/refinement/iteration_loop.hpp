/// The loop around the body of an iteration. The device decides when to stop; the host only looks, late.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "device/stop.hpp"
#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

/// A status texel as the host has seen it.
struct StatusLook {
    Stop stop = Stop::running;
    std::int64_t iterations = 0;
    double residual = 0;  ///< |r| as the recurrence has it

    /// From the texel's first three components; the iterations count from `first` on.
    static StatusLook of(std::span<const float> texel, std::int64_t first) {
        return {static_cast<Stop>(static_cast<int>(texel[0])), first + static_cast<std::int64_t>(texel[1]),
                static_cast<double>(texel[2])};
    }
};

/// Encodes bodies in chunks and looks at the status of each chunk, until it says stop; the next chunk is encoded before
/// the last one's status is waited for, unless iterations take long. A chunk is as long as some milliseconds of work,
/// and a small share of the run so far, so that looking costs little and few iterations are encoded in vain; what is
/// encoded in vain changes nothing, since the passes are guarded by the status.
class IterationLoop {
  public:
    /// `look` may return false to cancel.
    using Look = std::function<bool(const StatusLook&)>;

    explicit IterationLoop(Backend& backend) : backend_(backend), few_lengths_(backend.can().graphs) {}

    /// `first` is the number of iterations done so far; body(i) encodes iteration i. At most `most` are encoded.
    /// Returns what the last look saw; running: it was cancelled, or `most` were encoded.
    StatusLook run(const Scalar& status, std::int64_t first, std::int64_t most,
                   const std::function<void(std::int64_t)>& body, const Look& look);

    /// Encodes all `count` of them, and looks once, when they are done.
    StatusLook run_all(const Scalar& status, std::int64_t first, std::int64_t count,
                       const std::function<void(std::int64_t)>& body);

    /// Encodes `most` of them, from the first, and reads nothing; or, where there is a `look`, ends soon after a stop.
    void encode(const Scalar& status, std::int64_t most, const Look& look,
                const std::function<void(std::int64_t)>& body);

  private:
    void encode_all(std::int64_t first, std::int64_t count, const std::function<void(std::int64_t)>& body);

    Backend& backend_;
    bool few_lengths_;  // of chunks: powers of two, which the backend may know from before
    // Kept from run to run: the second correction need not learn again.
    std::int64_t chunk_ = 1;
    bool dear_ = true;  // an iteration takes longer than waiting for it
};

}  // namespace glsolve::inline v0_1
