#include "cli/interruption.hpp"

#include <csignal>
#include <initializer_list>

namespace glsolve::cli {
namespace {

volatile std::sig_atomic_t arrived = 0;  // a handler can reach nothing else

extern "C" void remember(int signal) {
    arrived = signal;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
    arrived = 0;
    for (const int signal : {SIGINT, SIGTERM}) {
        // Who started the program in the background may have told it to ignore them.
        if (std::signal(signal, remember) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

Interruption::~Interruption() {
    for (const int signal : {SIGINT, SIGTERM}) {
        if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
    }
}

int Interruption::signal() const { return arrived; }

}  // namespace glsolve::cli
