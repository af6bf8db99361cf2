#include "core/iterate.hpp"

#include <algorithm>
#include <array>
#include <chrono>

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
    for (std::int64_t next = first; next < end;) {
        const auto begin = Clock::now();
        const std::int64_t count = std::min(chunk_, end - next);
        for (std::int64_t i = 0; i < count; ++i) body(next + i);
        next += count;
        const Ticket ticket = backend_.read_later(status.id());
        backend_.flush();
        std::array<float, 4> texel{};
        backend_.collect(ticket, texel);
        seen = {static_cast<Stop>(static_cast<int>(texel[0])), static_cast<std::int64_t>(texel[1]), texel[2]};
        const bool go_on = look(seen);
        if (seen.stop != Stop::running || !go_on) break;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (seconds < chunk_seconds / 2 && count == chunk_) chunk_ = std::min(2 * chunk_, longest_chunk);
        if (seconds > chunk_seconds * 2) chunk_ = std::max<std::int64_t>(chunk_ / 2, 1);
    }
    return seen;
}

}  // namespace glsolve::inline v0_1
