#include "cli/interruption.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <initializer_list>

namespace glsolve::cli {
namespace {

using Clock = std::chrono::steady_clock;

// A handler can reach nothing else.
std::atomic<int> arrived = 0;
std::atomic<Clock::rep> arrived_at = 0;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<Clock::rep>::is_always_lock_free);

extern "C" void remember(int signal) {
    const Clock::duration now = Clock::now().time_since_epoch();
    if (arrived == 0) {
        arrived_at = now.count();
        arrived = signal;
    } else if (now - Clock::duration(arrived_at) > std::chrono::seconds(1)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    std::signal(signal, remember);  // some systems forget it with each signal
}

void set_handler(void (*handler)(int)) {
    for (const int signal : {SIGINT, SIGTERM}) {
        // Who started the program in the background may have told it to ignore them.
        if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

}  // namespace

Interruption::Interruption() {
    arrived = 0;
    set_handler(remember);
}

Interruption::~Interruption() {
    if (arrived == 0) set_handler(SIG_DFL);  // else more of the first signal may be on their way
}

int Interruption::signal() const { return arrived; }

}  // namespace glsolve::cli
