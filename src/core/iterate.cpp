#include "core/iterate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

namespace glsolve::inline v0_1 {
namespace {

constexpr double chunk_seconds = 0.02;
constexpr std::int64_t longest_chunk = 64;

}  // namespace

StatusLook Iterate::run(const Scalar& status, std::int64_t first, std::int64_t most,
                        const std::function<void(std::int64_t)>& body, const Look& look) {
    using Clock = std::chrono::steady_clock;
    StatusLook seen;
    seen.iterations = first;
    const std::int64_t end = first + most;
    std::optional<Ticket> pending;
    const auto collect = [&] {
        std::array<float, 4> texel{};
        backend_.collect(*pending, texel);
        pending.reset();
        return StatusLook{static_cast<Stop>(static_cast<int>(texel[0])), first + static_cast<std::int64_t>(texel[1]),
                          static_cast<double>(texel[2])};
    };
    for (std::int64_t next = first; next < end || pending;) {
        const auto begin = Clock::now();
        // The next chunk is on its way before the last one's status is waited for: the device does not idle.
        // Never more than an eighth of what has been done: what is encoded in vain stays a small share of the run.
        const std::int64_t count = std::min({chunk_, std::max<std::int64_t>((next - first) / 8, 2), end - next});
        std::optional<Ticket> ticket;
        if (count > 0) {
            for (std::int64_t i = 0; i < count; ++i) body(next + i);
            next += count;
            ticket = backend_.read_later(status.id());
            backend_.flush();
        }
        if (pending) {
            seen = collect();
            const bool go_on = look(seen);
            if (seen.stop != Stop::running || !go_on) {
                pending = ticket;
                if (pending) seen = collect();  // after a stop the same; after a cancellation the latest
                return seen;
            }
        }
        pending = ticket;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (seconds < chunk_seconds / 2 && count == chunk_) chunk_ = std::min(2 * chunk_, longest_chunk);
        if (seconds > chunk_seconds * 2) chunk_ = std::max<std::int64_t>(chunk_ / 2, 1);
    }
    return seen;
}

}  // namespace glsolve::inline v0_1
