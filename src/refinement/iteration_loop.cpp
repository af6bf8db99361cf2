#include "refinement/iteration_loop.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <optional>
#include <utility>

namespace glsolve::inline v0_1 {
namespace {

constexpr double chunk_seconds = 0.02;
constexpr std::int64_t longest_chunk = 64;
constexpr double dear_seconds = 0.0005;  // of an iteration; a wait costs a tenth of that

std::int64_t bit_floor(std::int64_t count) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(count)));
}

/// A status on its way to the host. It is taken in any case, also where an observer throws: what nobody takes would be
/// kept for ever.
class StatusUnderway {
  public:
    explicit StatusUnderway(Backend& backend) : backend_(backend) {}
    StatusUnderway(const StatusUnderway&) = delete;
    StatusUnderway& operator=(const StatusUnderway&) = delete;
    ~StatusUnderway() {
        try {
            if (ticket_) take();
        } catch (...) {  // the device is lost, and its copies with it
        }
    }

    void ask(StorageId status) { ticket_ = backend_.read_later(status); }
    bool asked() const { return ticket_.has_value(); }
    std::array<float, 4> take() {
        std::array<float, 4> texel{};
        if (ticket_) backend_.collect(*ticket_, texel);
        ticket_.reset();
        return texel;
    }
    /// What the other has asked for is now this one's to take.
    void take_over(StatusUnderway& other) { ticket_ = std::exchange(other.ticket_, std::nullopt); }

  private:
    Backend& backend_;
    std::optional<Ticket> ticket_;
};

}  // namespace

void IterationLoop::encode_all(std::int64_t first, std::int64_t count, const std::function<void(std::int64_t)>& body) {
    for (std::int64_t i = 0; i < count; ++i) {
        body(first + i);
        if (i % longest_chunk == longest_chunk - 1) backend_.flush();  // the device begins meanwhile
    }
}

StatusLook IterationLoop::run_all(const Scalar& status, std::int64_t first, std::int64_t count,
                                  const std::function<void(std::int64_t)>& body) {
    encode_all(first, count, body);
    std::array<float, 4> texel{};
    backend_.read(status.id(), texel);
    return StatusLook::of(texel, first);
}

void IterationLoop::encode(const Scalar& status, std::int64_t most, const Look& look,
                           const std::function<void(std::int64_t)>& body) {
    if (look) {
        run(status, 0, most, body, look);
    } else {
        encode_all(0, most, body);
    }
}

StatusLook IterationLoop::run(const Scalar& status, std::int64_t first, std::int64_t most,
                              const std::function<void(std::int64_t)>& body, const Look& look) {
    using Clock = std::chrono::steady_clock;
    StatusLook seen;
    seen.iterations = first;
    const std::int64_t end = first + most;
    StatusUnderway pending(backend_), latest(backend_);
    // Waits for the outcome that is pending, if any. Is it the last?
    const auto ends = [&] {
        if (!pending.asked()) return false;
        seen = StatusLook::of(pending.take(), first);
        const bool go_on = look(seen);
        pending.take_over(latest);
        if (seen.stop == Stop::running && go_on) return false;
        if (pending.asked()) seen = StatusLook::of(pending.take(), first);  // after a stop the same
        return true;
    };
    for (std::int64_t next = first; next < end || pending.asked();) {
        const auto begin = Clock::now();
        // The next chunk is on its way before the last one's status is waited for: the device does not idle. Unless an
        // iteration takes so long that one in vain costs more than idling.
        // Never more than an eighth of what has been done: what is encoded in vain stays a small share of the run.
        const std::int64_t wanted = std::min({chunk_, std::max<std::int64_t>((next - first) / 8, 2), end - next});
        const std::int64_t count = few_lengths_ ? bit_floor(wanted) : wanted;
        if (count > 0) {
            for (std::int64_t i = 0; i < count; ++i) body(next + i);
            next += count;
            latest.ask(status.id());
            backend_.flush();
        }
        if (ends()) return seen;
        if (latest.asked()) pending.take_over(latest);
        if (dear_ && ends()) return seen;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        dear_ = seconds > dear_seconds * static_cast<double>(std::max<std::int64_t>(count, 1));
        if (seconds < chunk_seconds / 2 && count == chunk_) chunk_ = std::min(2 * chunk_, longest_chunk);
        if (seconds > chunk_seconds * 2) chunk_ = std::max<std::int64_t>(chunk_ / 2, 1);
    }
    return seen;
}

}  // namespace glsolve::inline v0_1
